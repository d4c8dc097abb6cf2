// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// Time and device memory of two ways to make a list longer, in Google Benchmark's own output.

#include <cstdlib>
#include <exception>
#include <headroom/benchmark/device_memory_manager.hpp>
#include <headroom/benchmark/workload_benchmark.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/series/open_device.hpp>
#include <iostream>

namespace {

using namespace headroom::literals;
using headroom::buffer;

/// A list of 2 MiB becomes 4 MiB long: by a copy into a new one, or in place where it was made long
/// enough.
class growing_list : public headroom::workload {
 public:
  explicit growing_list(bool in_place) : in_place_(in_place) {
    description_.name = in_place ? "in_place" : "copied";
    description_.operation = "grow";
    description_.revision = "1";
    description_.dtype = "uint8";
    description_.requested = {{"bytes", (4_MiB).n}};
  }

  const headroom::workload_description& description() const override { return description_; }
  std::string_view pass_name() const override { return "grow"; }
  void load(headroom::run_context&) override {}
  void make_inputs(headroom::run_context&) override {}

  void run_pass(headroom::run_context& run) override {
    headroom::device& device = run.device();
    run.phase("make", [&] {
      list_ = buffer(device, in_place_ ? 4_MiB : 2_MiB, headroom::tag::inputs);
      device.fill_zero(list_.address(), 2_MiB, {});
    });
    run.phase("grow", [&] {
      if (in_place_) return;
      buffer longer(device, 4_MiB, headroom::tag::inputs);
      device.copy_on_device(longer.address(), list_.address(), 2_MiB, {});
      list_ = std::move(longer);
    });
    list_ = {};
  }

 private:
  headroom::workload_description description_;
  bool in_place_;
  buffer list_;
};

void run(int count, char** arguments) {
  const char* const named = std::getenv("HEADROOM_DEVICE");
  const auto device =
      headroom::open_device(headroom::parse_device_request(named != nullptr ? named : "auto"));
  headroom::device_memory_manager memory(*device);
  benchmark::RegisterMemoryManager(&memory);
  for (const bool in_place : {false, true}) {
    headroom::register_workload_benchmark(*device, in_place ? "in_place" : "copied", [in_place] {
      return std::make_unique<growing_list>(in_place);
    })->Unit(benchmark::kMicrosecond);
  }
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  benchmark::RegisterMemoryManager(nullptr);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run(count, arguments);
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 1;
  }
  return 0;
}
