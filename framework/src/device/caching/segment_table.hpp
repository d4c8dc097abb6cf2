// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <vector>

namespace headroom::caching {

/// Every block begins and ends at a multiple of this.
inline constexpr bytes unit{512};

/// @param size not negative
inline std::uint64_t units_of(bytes size) {
  return static_cast<std::uint64_t>(size.n) / static_cast<std::uint64_t>(unit.n);
}
inline bytes size_of(std::uint64_t units) { return static_cast<std::int64_t>(units) * unit; }

/// A range taken from the driver, or set aside there (expandable).
struct segment {
  void* address = nullptr;
  bytes size;                     ///< zero: the number is not in use
  std::uint64_t ordinal = 0;      ///< in the order of taking
  std::uint64_t first_place = 0;  ///< see block_map
  bytes page;                     ///< memory of an expandable segment comes in these; else zero
  std::uint64_t freed_at = 0;     ///< engine::searches_ when all of it became free

  [[nodiscard]] bool expandable() const { return page.n != 0; }
  /// Where an address of the segment lies, from its begin.
  [[nodiscard]] bytes offset_of(const void* inside) const {
    return bytes{static_cast<const char*>(inside) - static_cast<const char*>(address)};
  }
};

/// Segments by number.
class segment_table {
 public:
  /// Numbers fit what a handle has for them.
  static constexpr std::uint32_t most = (std::uint32_t{1} << 28) - 1;

  [[nodiscard]] bool full() const { return spare_.empty() && all_.size() >= most; }
  std::uint32_t add(const segment& made) {
    if (spare_.empty()) {
      spare_.push_back(static_cast<std::uint32_t>(all_.size()));
      all_.emplace_back();
      spare_.reserve(all_.size());
    }
    const std::uint32_t id = spare_.back();
    spare_.pop_back();
    all_[id] = made;
    return id;
  }
  void remove(std::uint32_t id) {
    all_[id] = {};
    spare_.push_back(id);
  }

  [[nodiscard]] segment& operator[](std::uint32_t id) { return all_[id]; }
  [[nodiscard]] const segment& operator[](std::uint32_t id) const { return all_[id]; }
  /// Calls visit(segment) for each one in use.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const segment& each : all_) {
      if (each.size.n != 0) visit(each);
    }
  }

 private:
  std::vector<segment> all_;
  std::vector<std::uint32_t> spare_;
};

}  // namespace headroom::caching
