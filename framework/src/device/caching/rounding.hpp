// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <headroom/device/allocator_settings.hpp>

namespace headroom::caching {

using namespace headroom::literals;

/// Rounded sizes up to this come from the small pool.
inline constexpr bytes small_limit = 1_MiB;
/// Segments of the small pool.
inline constexpr bytes small_segment = 2_MiB;
/// Segments for sizes above the small pool's and below large_request.
inline constexpr bytes large_segment = 20_MiB;
inline constexpr bytes large_request = 10_MiB;
/// Segments for the largest sizes are multiples of this.
inline constexpr bytes segment_unit = 2_MiB;
/// Requests of this size and above are refused before anything is looked at.
inline constexpr bytes request_bound{std::int64_t{1} << 60};

/// The size of the block for a request. @param requested above zero and below request_bound
[[nodiscard]] bytes rounded_request(bytes requested, const allocator_settings& settings);

/// The size of the segment taken for a block of this rounded size.
[[nodiscard]] constexpr bytes segment_size_for(bytes rounded) {
  if (rounded <= small_limit) return small_segment;
  if (rounded < large_request) return large_segment;
  return round_up(rounded, segment_unit);
}

}  // namespace headroom::caching
