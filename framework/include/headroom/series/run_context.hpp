// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <exception>
#include <headroom/device/device.hpp>
#include <headroom/series/phase_recorder.hpp>
#include <span>
#include <string_view>
#include <utility>

namespace headroom {

/// What a workload is given while it runs.
class run_context {
 public:
  explicit run_context(phase_recorder& recorder)
      : recorder_(&recorder), devices_(recorder.devices()) {}
  /// For passes whose time is taken: phases run without boundaries, and nothing is read.
  /// @param devices  at least one; must outlive the context
  explicit run_context(std::span<headroom::device* const> devices) : devices_(devices) {}

  /// The first device taking part.
  [[nodiscard]] headroom::device& device() const { return *devices_.front(); }
  [[nodiscard]] std::span<headroom::device* const> devices() const { return devices_; }

  /// Runs `body` as a phase inside the open one, between two synchronized boundaries. An exception
  /// of the body is recorded with its phase and passed on.
  template <class Body>
  void phase(std::string_view name, Body&& body) {
    if (recorder_ == nullptr) return std::forward<Body>(body)();
    try {
      recorder_->open(name);  // work that was queued may fail here, and when it closes
      std::forward<Body>(body)();
      recorder_->close();
    } catch (...) {
      recorder_->fail(std::current_exception());
      throw;
    }
  }

  /// Calls body(device, number) for each device taking part, in order. An error of the body is
  /// recorded with the device at which it came up.
  template <class Body>
  void on_each_device(Body&& body) {
    for (std::size_t number = 0; number < devices_.size(); ++number) {
      at_device(number);
      body(*devices_[number], number);
    }
    at_no_device();
  }
  /// What fails from here on came up at this device, until at_no_device().
  void at_device(std::size_t number) {
    if (recorder_ != nullptr) recorder_->enter_device(*devices_[number]);
  }
  void at_no_device() {
    if (recorder_ != nullptr) recorder_->leave_devices();
  }

 private:
  phase_recorder* recorder_ = nullptr;
  std::span<headroom::device* const> devices_;
};

}  // namespace headroom
