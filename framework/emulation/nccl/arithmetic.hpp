// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <vector>

#include "../abi/nccl_calls.hpp"

namespace headroom::emulation::nccl {

/// @return bytes of an element; 0 for what is no type
[[nodiscard]] std::size_t size_of(ncclDataType_t type);
/// "float32"
[[nodiscard]] const char* name_of(ncclDataType_t type);

/// Reduces the ranks' contents, in the order of their ranks. Types of less than 32 bits are
/// reduced in float32 and rounded once; whole numbers wrap, and their mean is cut off.
/// @param op    one of NCCL's own
/// @param from  one for each rank, count elements each; empty: zeros
[[nodiscard]] std::vector<char> reduce(ncclDataType_t type, ncclRedOp_t op, std::size_t count,
                                       const std::vector<std::vector<char>>& from);

/// Multiplies every element by the scalar, one element of the same type.
void multiply(ncclDataType_t type, std::vector<char>& contents, const void* scalar);

}  // namespace headroom::emulation::nccl
