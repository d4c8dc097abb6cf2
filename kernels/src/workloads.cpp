// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <array>
#include <headroom/core/error.hpp>
#include <headroom_kernels/decoder_training_workload.hpp>
#include <headroom_kernels/decoder_workload.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <headroom_kernels/dense_workload.hpp>
#include <headroom_kernels/workloads.hpp>

namespace headroom::kernels {
namespace {

struct entry {
  std::string_view name;
  std::unique_ptr<workload> (*make)(const workload_description&);
};

constexpr std::array<entry, 2> registry{{
    {"dense",
     [](const workload_description& description) -> std::unique_ptr<workload> {
       if (description.operation == "train") {
         return std::make_unique<dense_training_workload>(description);
       }
       return std::make_unique<dense_workload>(description);
     }},
    {"decoder",
     [](const workload_description& description) -> std::unique_ptr<workload> {
       if (description.operation == "train") {
         return std::make_unique<decoder_training_workload>(description);
       }
       return std::make_unique<decoder_workload>(description);
     }},
}};

}  // namespace

std::unique_ptr<workload> make_workload(const workload_description& description) {
  for (const entry& each : registry) {
    if (each.name == description.name) return each.make(description);
  }
  throw usage_error(fmt::format("there is no workload \"{}\"; there is \"{}\"", description.name,
                                fmt::join(workload_names(), "\", \"")));
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const entry& each : registry) names.emplace_back(each.name);
  return names;
}

}  // namespace headroom::kernels
