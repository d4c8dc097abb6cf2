// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <optional>
#include <string>

namespace headroom {

/// Where an allocator takes its segments from. Calls come one at a time.
class segment_source {
 public:
  virtual ~segment_source() = default;

  /// A new range of `size` bytes, or null when the driver refuses.
  /// @param size above zero; of a caching allocator a multiple of 2 MiB
  [[nodiscard]] virtual void* take(bytes size) = 0;
  /// @param address, size as taken
  virtual void give_back(void* address, bytes size) noexcept = 0;

  /// Address ranges whose memory is added and taken away piece by piece (expandable segments).
  /// A source that has none answers false, and the four calls below are never made.
  [[nodiscard]] virtual bool has_ranges() const { return false; }
  /// Sets addresses aside, without memory. Null when refused. @param size a multiple of 2 MiB
  [[nodiscard]] virtual void* reserve_range(bytes size);
  virtual void release_range(void* address, bytes size) noexcept;
  /// Puts memory behind a part of a range; false when the driver refuses, and then nothing changed.
  [[nodiscard]] virtual bool map(void* address, bytes size);
  virtual void unmap(void* address, bytes size) noexcept;

  /// What the device has in all.
  [[nodiscard]] virtual bytes capacity() const = 0;
  /// What the device has free now, other processes' use left out; absent where it cannot be read.
  [[nodiscard]] virtual std::optional<bytes> free_now() const = 0;
  /// The device's id, for messages: "plan:24GB".
  [[nodiscard]] virtual std::string device_id() const = 0;
};

}  // namespace headroom
