// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <headroom/device/device.hpp>
#include <headroom/series/peak_scopes.hpp>
#include <headroom/series/phase_record.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Keeps the boundaries of phases on every device taking part: synchronize, read the begin levels
/// and reset the peaks; at the end synchronize, read peaks and levels, record success or the error.
class phase_recorder {
 public:
  /// @param devices must outlive the recorder
  explicit phase_recorder(std::span<device* const> devices);

  /// Called after each phase ends; for progress lines.
  std::function<void(const phase_record&)> on_phase_end;

  /// Phases opened from here on belong to this pass.
  void enter_pass(pass_kind pass, int repeat);

  /// What fails from here on came up at this device; a later one, or leave_devices, ends that.
  void enter_device(const device& at) { at_ = at.info().id; }
  void leave_devices() { at_.clear(); }

  /// Begins a phase inside the open ones. @throws device_error for work queued before: the phase is
  /// open then, and fail() ends it
  void open(std::string_view name);
  /// Ends the innermost phase with success. @throws as open(): the phase is still open then
  void close();
  /// Ends the innermost phase with an error; the last values that can still be read are kept.
  void fail(const std::exception_ptr& error) noexcept;

  /// Adds a phase that was planned and never began.
  void add_not_run(std::string_view name, pass_kind pass, int repeat);

  /// In the order in which they began.
  [[nodiscard]] const std::vector<phase_record>& phases() const { return phases_; }
  [[nodiscard]] std::span<device* const> devices() const { return devices_; }

 private:
  void read_ends(phase_record& phase);
  void end_innermost();
  void synchronize_all();

  std::vector<device*> devices_;
  std::vector<peak_scopes> scopes_;  // one a device
  std::vector<phase_record> phases_;
  std::vector<std::size_t> open_;                                 // indices into phases_
  std::vector<std::chrono::steady_clock::time_point> opened_at_;  // beside open_
  std::string at_;             // device at which an error would come up; "" when not known
  bool inner_failed_ = false;  // the error belongs to a phase inside
  pass_kind pass_ = pass_kind::setup;
  int repeat_ = 0;
};

}  // namespace headroom
