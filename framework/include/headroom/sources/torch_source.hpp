// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// The four counters of PyTorch's CUDA allocator. Compiles to nothing where LibTorch's headers are
// not found; HEADROOM_HAS_TORCH says which.
#if __has_include(<c10/cuda/CUDACachingAllocator.h>)
#define HEADROOM_HAS_TORCH 1

#include <c10/cuda/CUDACachingAllocator.h>

#include <headroom/core/error.hpp>
#include <headroom/device/counter_source.hpp>
#include <string>

namespace headroom {

/// What LibTorch allocates on one device, by its own statistics. Several may read one device; a
/// reset by any of them, or by the program, resets the peaks for all.
class torch_source final : public counter_source {
 public:
  /// @throws usage_error when PyTorch has not begun to use CUDA in this process
  explicit torch_source(c10::DeviceIndex device = 0) : device_(device) {
    if (!c10::cuda::CUDACachingAllocator::get()->initialized()) {
      throw usage_error(
          "PyTorch's CUDA allocator has not begun: make a tensor on the device, or call "
          "at::globalContext().lazyInitDevice(c10::DeviceType::CUDA), before it is read");
    }
  }

  [[nodiscard]] source_description describe_counters() const override {
    const bool own_cache = backend() == "native";
    source_description all{.name = "PyTorch CUDA allocator, backend " + backend(), .coverage = {}};
    for (const counter_id id : all_counters) {
      const bool reserved = id == counter_id::reserved_current || id == counter_id::reserved_peak;
      // The driver keeps a high mark of its pool and one of its graphs' memory; PyTorch adds them.
      const bool bound = !own_cache && id == counter_id::reserved_peak;
      all[id] = {.available = true,
                 .exact = !bound,
                 .covers = bound ? "the high marks of two pools of the driver added up: a bound"
                           : reserved ? "memory that PyTorch's allocator holds from the driver"
                                      : "live blocks of PyTorch's allocator, after rounding"};
    }
    return all;
  }

  [[nodiscard]] source_reading read() const override {
    const auto now = c10::cuda::CUDACachingAllocator::getDeviceStats(device_);
    constexpr std::size_t both_pools = 0;  // StatType::AGGREGATE
    source_reading all;
    all[counter_id::allocated_current] = bytes{now.allocated_bytes[both_pools].current};
    all[counter_id::allocated_peak] = bytes{now.allocated_bytes[both_pools].peak};
    all[counter_id::reserved_current] = bytes{now.reserved_bytes[both_pools].current};
    all[counter_id::reserved_peak] = bytes{now.reserved_bytes[both_pools].peak};
    all.retries = now.num_alloc_retries;
    all.refusals = now.num_ooms;
    if (backend() != "native") return all;  // the other backend does not keep what was asked for
    all.requested_current = bytes{now.requested_bytes[both_pools].current};
    all.requested_peak = bytes{now.requested_bytes[both_pools].peak};
    return all;
  }

  void reset_peaks() override { c10::cuda::CUDACachingAllocator::resetPeakStats(device_); }

 private:
  [[nodiscard]] static std::string backend() {
    return c10::cuda::CUDACachingAllocator::get()->name();
  }

  c10::DeviceIndex device_;
};

}  // namespace headroom

#else
#define HEADROOM_HAS_TORCH 0
#endif
