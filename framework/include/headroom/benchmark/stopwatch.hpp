// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <chrono>
#include <headroom/device/device.hpp>
#include <memory>
#include <string_view>

namespace headroom {

namespace cuda {
class event_stopwatch;
}

/// Time of work on a device: on cuda from events in its default stream, elsewhere by the host's
/// clock. Work on other streams counts where the default stream waits for it (device::order_after).
class stopwatch {
 public:
  /// @param on  must outlive the watch. @throws device_error, as what follows
  explicit stopwatch(device& on);
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  /// Waits for earlier work, then begins.
  void start();
  /// Waits for the work since start. @return seconds
  [[nodiscard]] double stop();
  /// "cuda events" or "host clock"
  [[nodiscard]] std::string_view clock() const;

 private:
  device& on_;
  // Null where the host's clock is read. Shared, so that a build without CUDA needs no such class.
  std::shared_ptr<cuda::event_stopwatch> events_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace headroom
