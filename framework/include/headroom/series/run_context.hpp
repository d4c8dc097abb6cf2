// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

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
    recorder_->open(name);
    try {
      std::forward<Body>(body)();
    } catch (...) {
      recorder_->fail(std::current_exception());
      throw;
    }
    recorder_->close();
  }

 private:
  phase_recorder* recorder_ = nullptr;
  std::span<headroom::device* const> devices_;
};

}  // namespace headroom
