// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// The counters of RMM's statistics adaptor. Compiles to nothing where RMM's headers are not found;
// HEADROOM_HAS_RMM says which.
#if __has_include(<rmm/mr/statistics_resource_adaptor.hpp>)
#define HEADROOM_HAS_RMM 1

#include <cstdint>
#include <functional>
#include <headroom/device/counter_source.hpp>
#include <mutex>
#include <rmm/mr/statistics_resource_adaptor.hpp>
#include <utility>

namespace headroom {

/// What passes through a statistics adaptor of RMM. RMM's counters of an inner scope start at zero;
/// these are absolute. The adaptor's stack of counters is the source's alone from here on: a
/// program that pushes and pops as well makes the peaks wrong.
class rmm_source final : public counter_source {
 public:
  /// @param adaptor       shares its state with the program's copies
  /// @param reserved_now  what the resource under it holds in all, for example a pool's
  /// pool_size();
  ///                      left out, there is no reserved counter
  explicit rmm_source(rmm::mr::statistics_resource_adaptor adaptor,
                      std::function<bytes()> reserved_now = {})
      : adaptor_(std::move(adaptor)), reserved_now_(std::move(reserved_now)) {
    reset_peaks();
  }
  ~rmm_source() override {
    if (pushed_) adaptor_.pop_counters();
  }
  rmm_source(const rmm_source&) = delete;
  rmm_source& operator=(const rmm_source&) = delete;

  [[nodiscard]] source_description describe_counters() const override {
    source_description all{.name = "RMM statistics adaptor", .coverage = {}};
    for (const counter_id id : {counter_id::allocated_current, counter_id::allocated_peak}) {
      all[id] = {true, true, "blocks that came through the adaptor, as they were asked for"};
    }
    const bool known = static_cast<bool>(reserved_now_);
    all[counter_id::reserved_current] = {
        known, known,
        known ? "what the resource under the adaptor holds"
              : "RMM's statistics do not tell what the resource under them holds"};
    all[counter_id::reserved_peak] = {false, false, "RMM keeps no peak of what a resource holds"};
    return all;
  }

  [[nodiscard]] source_reading read() const override {
    const std::lock_guard hold(lock_);
    const auto since_reset = adaptor_.get_bytes_counter();
    source_reading all;
    all[counter_id::allocated_current] = bytes{live_at_reset_ + since_reset.value};
    all[counter_id::allocated_peak] = bytes{live_at_reset_ + since_reset.peak};
    if (reserved_now_) all[counter_id::reserved_current] = reserved_now_();
    return all;
  }

  void reset_peaks() override {
    const std::lock_guard hold(lock_);
    // Popping adds the inner counters to those below, which were there before this source.
    if (pushed_) adaptor_.pop_counters();
    // What others allocate between the two calls is in neither; pushing tells the level before it.
    live_at_reset_ = adaptor_.push_counters().first.value;
    pushed_ = true;
  }

 private:
  mutable std::mutex lock_;
  rmm::mr::statistics_resource_adaptor adaptor_;
  std::function<bytes()> reserved_now_;
  std::int64_t live_at_reset_ = 0;
  bool pushed_ = false;
};

}  // namespace headroom

#else
#define HEADROOM_HAS_RMM 0
#endif
