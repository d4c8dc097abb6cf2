// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <functional>
#include <headroom/core/error.hpp>
#include <headroom/core/weight_estimate.hpp>

namespace headroom {
namespace {

/// Matrices of a decoder of 8 billion parameters in 4 bit, embedding, output and norms kept.
quantized_weights_request eight_billion() {
  quantized_weights_request made;
  made.quantized = {{4096, 6144, 32}, {4096, 4096, 32}, {4096, 28672, 32}, {14336, 4096, 32}};
  made.bits = 4;
  made.kept_parameters = 2 * std::int64_t{128256} * 4096 + 65 * 4096;
  return made;
}

TEST(WeightEstimate, NamesEachTermBesideTheNaiveFigure) {
  const quantized_weights_estimate made = estimate_quantized_weights(eight_billion());
  EXPECT_EQ(made.naive, bytes{std::int64_t{8030261248} / 2});
  ASSERT_EQ(made.terms.size(), 4U);
  EXPECT_EQ(made.terms[0].name, "numbers");
  EXPECT_EQ(made.terms[0].formula, "6979321856 x 4 bit");
  EXPECT_EQ(made.terms[0].size, bytes{3489660928});
  EXPECT_EQ(made.terms[1].formula, "54525952 x 16 bit");  // 6979321856 / 128
  EXPECT_EQ(made.terms[1].size, bytes{109051904});
  EXPECT_EQ(made.terms[2].size, bytes{54525952});
  EXPECT_EQ(made.terms[3].size, bytes{2 * std::int64_t{1050939392}});
  EXPECT_EQ(made.total, bytes{3489660928 + 109051904 + 54525952 + 2101878784});
}

TEST(WeightEstimate, ALastGroupMayBeShortAndBytesAreWhole) {
  quantized_weights_request request;
  request.quantized = {{5, 3, 1}};
  request.bits = 4;
  request.group = 4;
  request.kept_parameters = 1;
  request.kept_bits = 4;
  const quantized_weights_estimate made = estimate_quantized_weights(request);
  EXPECT_EQ(made.terms[0].size, bytes{8});   // 15 numbers
  EXPECT_EQ(made.terms[1].size, bytes{12});  // 2 groups x 3
  EXPECT_EQ(made.terms[2].size, bytes{6});
  EXPECT_EQ(made.terms[3].size, bytes{1});
  EXPECT_EQ(made.naive, bytes{8});
}

std::string refusal(const std::function<void(quantized_weights_request&)>& change) {
  quantized_weights_request request = eight_billion();
  change(request);
  try {
    static_cast<void>(estimate_quantized_weights(request));
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(WeightEstimate, RefusesWhatCannotBeAndNamesIt) {
  EXPECT_EQ(refusal([](auto&) {}), "(not refused)");
  EXPECT_EQ(refusal([](auto& r) { r.bits = 3; }), "quantized weights have bits = 3; give 8 or 4");
  EXPECT_EQ(refusal([](auto& r) { r.group = 0; }),
            "quantized weights have group = 0; give 1 or more");
  EXPECT_EQ(refusal([](auto& r) { r.kept_parameters = -1; }),
            "quantized weights have kept parameters = -1; give 0 or more");
  EXPECT_EQ(refusal([](auto& r) { r.quantized[1].outputs = 0; }),
            "quantized weights have outputs = 0; give 1 or more");
  const std::int64_t large = std::int64_t{1} << 32;
  EXPECT_EQ(refusal([&](auto& r) {
              r.quantized[0] = {large, large, 1};
            }),
            "the term \"numbers\" of the weights does not fit 64 bits; give fewer or smaller "
            "matrices");
  EXPECT_EQ(refusal([&](auto& r) {
              r.quantized = {{1, large, 1 << 28}};  // as many groups as numbers
              r.scale_bits = 16;
            }),
            "the term \"scales\" of the weights does not fit 64 bits; give fewer or smaller "
            "matrices");
  EXPECT_EQ(refusal([&](auto& r) { r.kept_parameters = std::int64_t{1} << 60; }),
            "the term \"kept as they are\" of the weights does not fit 64 bits; give fewer or "
            "smaller matrices");
}

}  // namespace
}  // namespace headroom
