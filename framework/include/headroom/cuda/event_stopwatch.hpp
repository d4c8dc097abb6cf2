// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <memory>

namespace headroom::cuda {

/// Time of work on one stream of a GPU, from events in that stream.
class event_stopwatch {
 public:
  /// @param stream  a cudaStream_t of the calling thread's current device, which must stay that
  ///                device's while the watch is used
  /// @throws device_error, as what follows
  explicit event_stopwatch(void* stream);
  ~event_stopwatch();
  event_stopwatch(const event_stopwatch&) = delete;
  event_stopwatch& operator=(const event_stopwatch&) = delete;

  /// Queues the begin.
  void start();
  /// Queues the end and waits for it. @return seconds since the begin
  [[nodiscard]] double stop();

 private:
  struct events;
  std::unique_ptr<events> events_;
};

}  // namespace headroom::cuda
