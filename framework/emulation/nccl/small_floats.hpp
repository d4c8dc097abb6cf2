// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// Floating-point types of 8 and 16 bits: to float32 and back, rounded to the nearest, ties to even.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace headroom::emulation::nccl {

struct bfloat16 {
  using bits = std::uint16_t;
  static float decode(bits from) { return std::bit_cast<float>(std::uint32_t{from} << 16); }
  static bits encode(float from) {
    const auto whole = std::bit_cast<std::uint32_t>(from);
    if (std::isnan(from)) return static_cast<bits>(whole >> 16 | 0x40u);
    return static_cast<bits>((whole + 0x7fffu + (whole >> 16 & 1u)) >> 16);
  }
};

/// @tparam Infinite  the highest exponent holds infinity; else only one value there is no number,
///                   and what is too large becomes the largest
template <class Bits, int Exponent, int Mantissa, bool Infinite>
struct small_float {
  using bits = Bits;
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr unsigned exponents = (1u << Exponent) - 1;
  static constexpr unsigned mantissas = (1u << Mantissa) - 1;
  static constexpr unsigned sign = 1u << (Exponent + Mantissa);
  static constexpr unsigned largest = Infinite ? ((exponents - 1) << Mantissa | mantissas)
                                               : (exponents << Mantissa | (mantissas - 1));

  static float decode(bits from) {
    const unsigned exponent = (from >> Mantissa) & exponents;
    const unsigned mantissa = from & mantissas;
    float value = 0;
    if (exponent == exponents && (Infinite || mantissa == mantissas)) {
      value = Infinite && mantissa == 0 ? std::numeric_limits<float>::infinity()
                                        : std::numeric_limits<float>::quiet_NaN();
    } else if (exponent == 0) {
      value = std::ldexp(static_cast<float>(mantissa), 1 - bias - Mantissa);
    } else {
      value = std::ldexp(static_cast<float>(mantissa + mantissas + 1),
                         static_cast<int>(exponent) - bias - Mantissa);
    }
    return (from & sign) != 0 ? -value : value;
  }
  static bits encode(float from) {
    const unsigned minus = std::signbit(from) ? sign : 0;
    if (std::isnan(from)) return static_cast<bits>(minus | (exponents << Mantissa) | mantissas);
    const float size = std::fabs(from);
    unsigned whole = 0;
    if (size > 0 && std::isfinite(size)) {
      const int power = std::max(std::ilogb(size), 1 - bias);
      const auto steps =
          static_cast<unsigned long>(std::nearbyint(std::ldexp(size, Mantissa - power)));
      // The leading one of a normal number adds one to the exponent, as rounding up may.
      const unsigned long at = static_cast<unsigned long>(power + bias - 1) << Mantissa;
      whole = at + steps > largest ? largest + 1 : static_cast<unsigned>(at + steps);
    } else if (size > 0) {
      whole = largest + 1;
    }
    if (!Infinite && whole > largest) whole = largest;
    return static_cast<bits>(minus | whole);
  }
};

using float16 = small_float<std::uint16_t, 5, 10, true>;
using float8_e4m3 = small_float<std::uint8_t, 4, 3, false>;
using float8_e5m2 = small_float<std::uint8_t, 5, 2, true>;

}  // namespace headroom::emulation::nccl
