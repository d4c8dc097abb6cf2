// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "rounding.hpp"

#include <algorithm>
#include <bit>

#include "segment_table.hpp"

namespace headroom::caching {
namespace {

/// How many steps the power of two that holds this size is divided into.
std::uint64_t divisions_for(std::uint64_t size, const allocator_settings& settings) {
  const auto& table = settings.roundup_power2_divisions;
  const std::uint64_t mebibytes = std::max<std::uint64_t>(size >> 20U, 1);
  return table[std::min(static_cast<std::size_t>(std::bit_width(mebibytes)) - 1, table.size() - 1)];
}

/// Up to the next of `divisions` equal steps between a power of two and its double.
std::uint64_t to_next_step(std::uint64_t size, std::uint64_t divisions) {
  if (std::has_single_bit(size)) return size;
  const std::uint64_t power = std::bit_floor(size);
  const std::uint64_t step = power >> (static_cast<unsigned>(std::bit_width(divisions)) - 1);
  if (step == 0) return power << 1U;
  return (size + step - 1) / step * step;
}

}  // namespace

bytes rounded_request(bytes requested, const allocator_settings& settings) {
  if (requested < unit) return unit;
  const auto size = static_cast<std::uint64_t>(requested.n);
  const std::uint64_t divisions = divisions_for(size, settings);
  if (divisions > 1 && size > static_cast<std::uint64_t>(unit.n) * divisions) {
    return bytes{static_cast<std::int64_t>(to_next_step(size, divisions))};
  }
  return round_up(requested, unit);
}

}  // namespace headroom::caching
