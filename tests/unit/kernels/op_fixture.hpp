// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>
#include <string>

#include "values.hpp"

/// What tests of operations share.
namespace headroom::kernels::test {

/// An operation on the cpu device, in each element type.
class OpFixture : public testing::TestWithParam<dtype> {
 protected:
  /// Values rounded to the type, scaled.
  tensor values(const shape& dims, std::uint32_t seed, float scale = 1.0F) {
    std::vector<float> numbers = random_values(dims.elements(), seed);
    for (float& number : numbers) number *= scale;
    return make(cpu_, dims, GetParam(), numbers);
  }
  /// Float32, not written yet.
  tensor floats(const shape& dims) { return {cpu_, {}, dims, dtype::float32, tag::other}; }

  cpu_device cpu_;
};

/// What the call is refused with.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

}  // namespace headroom::kernels::test
