// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <string>
#include <vector>

namespace headroom {

/// Matrices of one size.
struct weight_matrices {
  std::int64_t inputs = 0;   ///< groups lie along these
  std::int64_t outputs = 0;  ///< each has groups of its own
  std::int64_t count = 1;
};

/// Weights of which some are stored in few bits and the others as they are.
struct quantized_weights_request {
  std::vector<weight_matrices> quantized;
  int bits = 8;              ///< of a number: 8 or 4, the latter packed
  std::int64_t group = 128;  ///< inputs that share a scale and a zero point
  int scale_bits = 16;
  int zero_point_bits = 8;
  std::int64_t kept_parameters = 0;  ///< of the modules that are not quantized
  int kept_bits = 16;
};

struct weight_term {
  std::string name;     ///< "numbers", "scales", "zero points", "kept as they are"
  std::string formula;  ///< "6979321856 x 4 bit"
  bytes size;
};

struct quantized_weights_estimate {
  bytes naive;  ///< all parameters x bits / 8: the figure that leaves the rest out
  std::vector<weight_term> terms;
  bytes total;
};

/// Bytes before the allocator's rounding, each term rounded up to bytes; exact.
/// @throws usage_error that names the number, when one is below 1 (the kept parameters: below 0)
/// or bits are neither 8 nor 4, or the term that does not fit 64 bits
[[nodiscard]] quantized_weights_estimate estimate_quantized_weights(
    const quantized_weights_request& of);

}  // namespace headroom
