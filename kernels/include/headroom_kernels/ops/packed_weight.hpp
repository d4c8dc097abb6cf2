// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/bfloat16.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// A matrix [inputs, outputs] in unsigned numbers of 8 or 4 bits: weight = scale (number - zero),
/// with a scale and a zero for each `group` neighbouring inputs of an output.
struct packed_weight {
  std::uint8_t* numbers = nullptr;  ///< [inputs, outputs]; of 4 bits: two outputs a byte, the first
                                    ///< in the lower half
  bfloat16* scales = nullptr;       ///< [groups, outputs]
  std::uint8_t* zeros = nullptr;    ///< [groups, outputs]
  int bits = 8;                     ///< 8 or 4
  std::int64_t group = 128;         ///< the last one may be short
};

/// Queues the rounding of a matrix. Read back, a weight is off by at most one scale, which is a
/// little above (largest - smallest of the group and 0) / 255, or 15.
/// @param from  [inputs, outputs]
/// @throws usage_error when outputs are odd
void pack_weight(device& on, stream_id stream, const tensor_view& from, const packed_weight& to);
/// Queues to = scale (number - zero), rounded to its type.
/// @param to  [inputs, outputs]
void unpack_weight(device& on, stream_id stream, const packed_weight& from, const tensor_view& to);

}  // namespace headroom::kernels
