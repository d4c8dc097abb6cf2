// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/core/budget_file.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>
#include <string>

/// Shipped budgets and their series, for tests.
namespace headroom::kernels::test {

inline budget shipped(const std::string& name) {
  return read_budget(std::filesystem::path(HEADROOM_SOURCE_DIR) / "budgets" / (name + ".json"));
}

inline series_record run(device& on, workload& work, const budget& against) {
  series_options options;
  options.protocol = against.protocol;
  return run_series(on, work, options);
}

inline bool exceeds(const verdict& result, counter_id counter, limit_scope scope) {
  for (const limit_verdict& each : result.limits) {
    if (each.counter == counter && each.scope == scope && each.result == ruling::exceeded) {
      return true;
    }
  }
  return false;
}

/// The host's memory with kernels left out: for networks that the host could hold in addresses, and
/// not compute in time.
class idle_cpu_device final : public device {
 public:
  [[nodiscard]] const device_info& info() const override { return host_.info(); }
  [[nodiscard]] headroom::allocator& allocator() override { return host_.allocator(); }
  [[nodiscard]] counter_source& counters() override { return host_.counters(); }
  [[nodiscard]] system_reading read_system() const override { return host_.read_system(); }
  [[nodiscard]] bool computes() const override { return false; }
  [[nodiscard]] stream_id create_stream() override { return host_.create_stream(); }
  void order_after(stream_id waiter, stream_id before) override {
    host_.order_after(waiter, before);
  }
  void synchronize(stream_id stream) override { host_.synchronize(stream); }
  void synchronize() override { host_.synchronize(); }
  [[nodiscard]] void* native_stream(stream_id stream) override {
    return host_.native_stream(stream);
  }
  void copy_to_device(void*, const void*, bytes, stream_id) override {}
  void copy_to_host(void*, const void*, bytes, stream_id) override {}
  void copy_on_device(void*, const void*, bytes, stream_id) override {}
  void fill_zero(void*, bytes, stream_id) override {}

 private:
  cpu_device host_{{}, 24_GB};
};

}  // namespace headroom::kernels::test
