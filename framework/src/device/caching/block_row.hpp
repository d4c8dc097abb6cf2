// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <limits>

#include "segment_table.hpp"

namespace headroom::caching {

enum class block_state : std::uint8_t {
  live,      ///< handed out
  used,      ///< handed out, and another stream uses it too
  pending,   ///< freed, another stream still uses it
  free,      ///< cached
  unmapped,  ///< addresses of an expandable segment without memory
  edge       ///< no block: a segment ends here
};

/// Up to 13 blocks of one segment that begin within 32 MiB, ascending, and what they have in
/// common, packed into one cache line. Made empty.
class alignas(64) block_row {
 public:
  static constexpr std::uint32_t slots = 13;
  /// How far a row reaches from its base, exclusive, in units.
  static constexpr std::uint64_t reach = 65'535;
  /// How large a base can be, exclusive, in units: 32 EiB.
  static constexpr std::uint64_t base_bound = std::uint64_t{1} << 56U;

  /// No block of the row begins in front of this. @param base below base_bound
  [[nodiscard]] std::uint64_t base() const {
    return base_low_ | (std::uint64_t{base_middle_} << 32U) | (states_ >> 56U << 48U);
  }
  void set_base(std::uint64_t base) {
    base_low_ = static_cast<std::uint32_t>(base);
    base_middle_ = static_cast<std::uint16_t>(base >> 32U);
    states_ = (states_ & states_mask) | (base >> 48U << 56U);
  }
  /// In units; beyond the reach where the address lies in front of the base.
  [[nodiscard]] std::uint64_t distance_of(const void* inside) const {
    return (reinterpret_cast<std::uintptr_t>(inside) - reinterpret_cast<std::uintptr_t>(address)) /
           static_cast<std::uint64_t>(unit.n);
  }

  [[nodiscard]] bool empty() const { return !holds(0); }
  [[nodiscard]] bool full() const { return holds(slots - 1); }
  [[nodiscard]] bool holds(std::uint32_t slot) const {
    return slot < slots && entries_[slot] != none;
  }
  [[nodiscard]] std::uint32_t count() const { return below(none); }
  /// How many blocks begin less than `distance` behind the base. @param distance within reach
  [[nodiscard]] std::uint32_t count_below(std::uint64_t distance) const {
    return below(entry_of(distance));
  }
  /// From the base, in units; the reach where the slot holds nothing.
  [[nodiscard]] std::uint64_t distance(std::uint32_t slot) const {
    return static_cast<std::uint64_t>(entries_[slot] - nearest);
  }
  [[nodiscard]] block_state state(std::uint32_t slot) const {
    return static_cast<block_state>((states_ >> (4 * slot)) & 15U);
  }
  void set_state(std::uint32_t slot, block_state state) {
    states_ = (states_ & ~(std::uint64_t{15} << (4 * slot))) | bits_of(state, slot);
  }

  /// What stands in the slot and behind it moves up. @pre the row is not full
  void insert(std::uint32_t slot, std::uint64_t distance, block_state state) {
    const std::uint64_t moved = states_ & states_mask & from(slot);
    states_ = (states_ - moved) | (moved << 4U) | bits_of(state, slot);
    // Both cases of all slots are computed: which ones move cannot be foretold.
    eight* const all = halves();
    const eight low = all[0];
    const eight high = all[1];
    const auto at = static_cast<std::int16_t>(slot);
    const eight added = eight{} + entry_of(distance);
    const eight low_up = __builtin_shufflevector(low, low, 0, 0, 1, 2, 3, 4, 5, 6);
    const eight high_up = __builtin_shufflevector(low, high, 7, 8, 9, 10, 11, 13, 14, 15);
    const eight low_changed = low_slots == at ? added : low_up;
    const eight high_changed = high_slots == at ? added : high_up;
    all[0] = low_slots < at ? low : low_changed;
    all[1] = high_slots < at ? high : high_changed;
  }
  void erase(std::uint32_t slot) {
    const std::uint64_t moved = states_ & states_mask & from(slot);
    states_ = (states_ - moved) | ((moved >> 4U) & from(slot));
    eight* const all = halves();
    const eight low = all[0];
    const eight high = all[1];
    const auto at = static_cast<std::int16_t>(slot);
    constexpr eight nothing{none};
    const eight low_down = __builtin_shufflevector(low, high, 1, 2, 3, 4, 5, 6, 7, 8);
    const eight without_0 = __builtin_shufflevector(high, nothing, 1, 2, 3, 4, 8, 5, 6, 7);
    all[0] = low_slots < at ? low : low_down;
    all[1] = high_slots < at ? high : without_0;
  }

  char* address = nullptr;  ///< of the base

 private:
  std::uint64_t states_ = 0;  ///< four bits each; the uppermost eight are the base's
  std::uint32_t base_low_ = 0;

 public:
  std::uint32_t previous = 0;  ///< row of the same segment; 0: none
  std::uint32_t next = 0;
  std::uint32_t segment = 0;

 private:
  static constexpr std::int16_t none = std::numeric_limits<std::int16_t>::max();
  static constexpr int nearest = std::numeric_limits<std::int16_t>::min();

  /// Distances from the base and `nearest`, ascending; behind the last: none.
  std::int16_t entries_[slots] = {none, none, none, none, none, none, none,
                                  none, none, none, none, none, none};
  std::uint16_t base_middle_ = 0;

 public:
  std::uint32_t owner = 0;  ///< number of a pool

 private:
  static constexpr std::uint64_t states_mask = (std::uint64_t{1} << (4 * slots)) - 1;
  typedef std::int16_t eight __attribute__((vector_size(16), may_alias));
  typedef std::uint64_t two __attribute__((vector_size(16)));
  static constexpr eight low_slots{0, 1, 2, 3, 4, 5, 6, 7};
  /// The last three are no slots, and stay what they are.
  static constexpr eight high_slots{8, 9, 10, 11, 12, -1, -1, -1};

  [[nodiscard]] const eight* halves() const { return reinterpret_cast<const eight*>(entries_); }
  [[nodiscard]] eight* halves() { return reinterpret_cast<eight*>(entries_); }
  [[nodiscard]] static std::int16_t entry_of(std::uint64_t distance) {
    return static_cast<std::int16_t>(static_cast<int>(distance) + nearest);
  }
  /// The bits of the slot's state and of all behind it.
  [[nodiscard]] static std::uint64_t from(std::uint32_t slot) {
    return ~std::uint64_t{0} << (4 * slot);
  }
  [[nodiscard]] static std::uint64_t bits_of(block_state state, std::uint32_t slot) {
    return static_cast<std::uint64_t>(state) << (4 * slot);
  }
  [[nodiscard]] std::uint32_t below(std::int16_t entry) const {
    const eight* const all = halves();
    const eight high = (all[1] < entry) & (high_slots > 0);
    const auto counts = reinterpret_cast<two>(-((all[0] < entry) + high));  // each lane: 0 to 2
    // The sum of the lanes comes to lie in the uppermost one.
    constexpr std::uint64_t ones = 0x0001'0001'0001'0001;
    return static_cast<std::uint32_t>(((counts[0] + counts[1]) * ones) >> 48U);
  }
};
static_assert(sizeof(block_row) == 64);

}  // namespace headroom::caching
