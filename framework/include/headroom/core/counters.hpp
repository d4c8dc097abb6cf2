// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <headroom/core/bytes.hpp>
#include <optional>
#include <string_view>

namespace headroom {

/// A level and its highest value since the last reset. A reset starts the peak at what is live.
struct counter {
  bytes current;
  bytes peak;

  constexpr void add(bytes delta) {
    current += delta;
    if (peak < current) peak = current;
  }
  constexpr void reset_peak() { peak = current; }
  friend constexpr bool operator==(const counter&, const counter&) = default;
};

/// What a caching allocator counts. reserved contains allocated: the two are never added.
struct memory_counters {
  counter allocated;  ///< bytes in live blocks, after rounding
  counter reserved;   ///< bytes in segments held from the driver, in use or cached
  counter requested;  ///< bytes asked for, before rounding
  friend constexpr bool operator==(const memory_counters&, const memory_counters&) = default;
};

/// The four counters that a budget limits.
enum class counter_id { allocated_current, allocated_peak, reserved_current, reserved_peak };
inline constexpr std::array all_counters{counter_id::allocated_current, counter_id::allocated_peak,
                                         counter_id::reserved_current, counter_id::reserved_peak};
inline constexpr std::size_t counter_count = all_counters.size();

/// "allocated_peak", as in budget and artifact files.
[[nodiscard]] std::string_view name_of(counter_id id);
/// "allocated peak", as in text for people.
[[nodiscard]] std::string_view words_of(counter_id id);
[[nodiscard]] std::optional<counter_id> counter_from_name(std::string_view name);

}  // namespace headroom
