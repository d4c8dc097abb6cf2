// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <compare>
#include <cstdint>

namespace headroom {

/// A queue of device work. 0 is the default stream; devices hand out the others.
struct stream_id {
  std::uint32_t n = 0;
  friend constexpr auto operator<=>(const stream_id&, const stream_id&) = default;
};

/// A point in the work of one stream. Points of one stream pass in the order of their numbers.
struct stream_point {
  stream_id stream;
  std::uint64_t number = 0;
};

/// What an allocator asks of a device's streams.
class stream_clock {
 public:
  virtual ~stream_clock() = default;
  /// A point behind everything queued on the stream so far.
  virtual stream_point record(stream_id stream) = 0;
  /// Whether the stream has passed the point. Never waits.
  virtual bool passed(const stream_point& point) = 0;
  /// Returns when the stream has passed the point.
  virtual void wait(const stream_point& point) = 0;
  /// A segment went back to the driver, which waits for all work of the device before it takes one.
  virtual void segment_given_back() {}
};

}  // namespace headroom
