// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <headroom/core/workload_description.hpp>
#include <string>
#include <vector>

/// What a device's memory held, beside what another device's did.
namespace headroom::test {

/// The contents of one block at one moment.
struct kept_block {
  std::string where;  ///< "warm_step 2, block 17, weights"
  std::vector<std::byte> contents;
};

/// How far results may be apart that were summed up in another order.
struct tolerance {
  /// Of a workload in float32 or bfloat16, with a quantized cache or without.
  explicit tolerance(const workload_description& what);

  double norm = 1e-4;  ///< of the difference, relative to that of what was expected
  /// Of one element, relative to the largest expected. AdamW makes steps of one size, however small
  /// the gradient: where that is next to nothing, it is the difference that decides.
  double largest = 2e-2;
  bool bfloat16 = false;         ///< some blocks hold bfloat16
  bool rounded_to_int8 = false;  ///< blocks of int8 may differ by one here and there
};

/// Compares element by element. A block does not say of what type its elements are; what was
/// expected tells float32 from bfloat16. Integers, and floats that are no numbers, must be equal.
/// @return "" where the blocks agree, else where and by how much they do not
[[nodiscard]] std::string difference(const kept_block& expected, const kept_block& found,
                                     const tolerance& allowed);

}  // namespace headroom::test
