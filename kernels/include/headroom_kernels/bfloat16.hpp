// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <cstring>
#include <headroom_kernels/host_device.hpp>

namespace headroom::kernels {

/// The upper half of a float32: sign, 8 bits of exponent, 7 of fraction. For storage; arithmetic is
/// done in float32.
struct bfloat16 {
  std::uint16_t bits = 0;
};
static_assert(sizeof(bfloat16) == 2);

/// Exact.
[[nodiscard]] HEADROOM_HOST_DEVICE inline float widen(bfloat16 value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value.bits) << 16U;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}
[[nodiscard]] HEADROOM_HOST_DEVICE inline float widen(float value) { return value; }

/// Rounds to the nearest, ties to even; overflow gives infinity. A NaN stays one, made quiet, with
/// its sign and the upper bits of its payload.
template <class T>
[[nodiscard]] HEADROOM_HOST_DEVICE T narrow(float value);

template <>
[[nodiscard]] HEADROOM_HOST_DEVICE inline float narrow<float>(float value) {
  return value;
}
template <>
[[nodiscard]] HEADROOM_HOST_DEVICE inline bfloat16 narrow<bfloat16>(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if ((bits & 0x7fffffffU) > 0x7f800000U) {
    return {static_cast<std::uint16_t>((bits >> 16U) | 0x0040U)};
  }
  const std::uint32_t even = (bits >> 16U) & 1U;
  return {static_cast<std::uint16_t>((bits + 0x7fffU + even) >> 16U)};
}

}  // namespace headroom::kernels
