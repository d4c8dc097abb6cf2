// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/error.hpp>
#include <headroom_kernels/decoder_training_workload.hpp>
#include <headroom_kernels/decoder_workload.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <headroom_kernels/dense_workload.hpp>
#include <headroom_kernels/workloads.hpp>

namespace headroom::kernels {
namespace {

void add_code_of_dense(workload_entry& dense) {
  dense.make = [](const workload_description& of) -> std::unique_ptr<workload> {
    if (of.operation == "train") return std::make_unique<dense_training_workload>(of);
    return std::make_unique<dense_workload>(of);
  };
  dense.weights = [](const workload_description& of) -> std::vector<weight_group> {
    const std::int64_t parameters = of.operation == "train"
                                        ? dense_training_workload(of).dims().microbatch.parameters()
                                        : dense_workload(of).dims().parameters();
    return {{"linear and bias", parameters, of.dtype == "bfloat16" ? 16 : 32, "float32"}};
  };
}

void add_code_of_decoder(workload_entry& decoder) {
  decoder.make = [](const workload_description& of) -> std::unique_ptr<workload> {
    if (of.operation == "train") return std::make_unique<decoder_training_workload>(of);
    return std::make_unique<decoder_workload>(of);
  };
  decoder.weights = [](const workload_description& of) -> std::vector<weight_group> {
    const decoder_shape model = of.operation == "train" ? decoder_training_workload(of).model()
                                                        : decoder_workload(of).dims().model;
    return {{"embedding, layers and output", model.parameters(), of.dtype == "bfloat16" ? 16 : 32,
             of.dtype}};
  };
}

}  // namespace

const workload_registry& bundled_workloads() {
  static const workload_registry bundled = [] {
    workload_registry all;
    for (workload_entry& each : describe_bundled_workloads()) {
      if (each.name == "dense") add_code_of_dense(each);
      if (each.name == "decoder") add_code_of_decoder(each);
      all.add(std::move(each));
    }
    return all;
  }();
  return bundled;
}

std::unique_ptr<workload> make_workload(const workload_description& description) {
  return bundled_workloads().make(description);
}

}  // namespace headroom::kernels
