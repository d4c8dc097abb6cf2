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
};

/// Segments by number. What every allocation and every free asks for is kept apart, dense.
class segment_table {
 public:
  /// Numbers fit what a handle has for them.
  static constexpr std::uint32_t most = (std::uint32_t{1} << 28) - 1;

  [[nodiscard]] bool full() const { return spare_.empty() && all_.size() >= most; }
  std::uint32_t add(const segment& made, std::uint32_t owner) {
    if (spare_.empty()) {
      spare_.push_back(static_cast<std::uint32_t>(all_.size()));
      all_.emplace_back();
      origins_.emplace_back();
      spare_.reserve(all_.size());
    }
    const std::uint32_t id = spare_.back();
    spare_.pop_back();
    all_[id] = made;
    origins_[id] = {reinterpret_cast<std::uintptr_t>(made.address) -
                        made.first_place * static_cast<std::uint64_t>(unit.n),
                    owner};
    return id;
  }
  void remove(std::uint32_t id) {
    all_[id] = {};
    spare_.push_back(id);
  }

  [[nodiscard]] segment& operator[](std::uint32_t id) { return all_[id]; }
  [[nodiscard]] const segment& operator[](std::uint32_t id) const { return all_[id]; }
  /// The number of the pool whose segment it is.
  [[nodiscard]] std::uint32_t owner(std::uint32_t id) const { return origins_[id].owner; }
  [[nodiscard]] void* address(std::uint32_t id, std::uint64_t place) const {
    const std::uint64_t offset = place * static_cast<std::uint64_t>(unit.n);
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(origins_[id].shift + offset));
  }
  [[nodiscard]] std::uint64_t place(std::uint32_t id, const void* address) const {
    return (reinterpret_cast<std::uintptr_t>(address) - origins_[id].shift) /
           static_cast<std::uint64_t>(unit.n);
  }
  /// Calls visit(number, segment) for each one in use.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t id = 0; id < all_.size(); ++id) {
      if (all_[id].size.n != 0) visit(id, all_[id]);
    }
  }

 private:
  struct origin {
    std::uint64_t shift = 0;  ///< address - place in bytes, modulo 2^64
    std::uint32_t owner = 0;
  };
  std::vector<origin> origins_;
  std::vector<segment> all_;
  std::vector<std::uint32_t> spare_;
};

}  // namespace headroom::caching
