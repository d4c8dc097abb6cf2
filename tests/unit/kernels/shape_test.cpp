// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/shape.hpp>

namespace headroom::kernels {
namespace {

using testing::HasSubstr;

template <class Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(Shape, KnowsRowsWidthAndElements) {
  const shape dims{{"batch", 2}, {"context", 3}, {"width", 5}};
  EXPECT_EQ(dims.rank(), 3U);
  EXPECT_EQ(dims.elements(), 30);
  EXPECT_EQ(dims.rows(), 6);
  EXPECT_EQ(dims.width(), 5);
  EXPECT_EQ(dims.text(), "[batch 2, context 3, width 5]");
  EXPECT_EQ(storage_of(dims, dtype::float32), bytes{120});
  EXPECT_EQ(storage_of(dims, dtype::bfloat16), bytes{60});
  EXPECT_EQ(shape{}.elements(), 0);
}

TEST(Shape, ComparesSizesAndNotNames) {
  EXPECT_EQ((shape{{"rows", 6}, {"width", 5}}), (shape{{"m", 6}, {"n", 5}}));
  EXPECT_FALSE((shape{{"rows", 6}, {"width", 5}}) == (shape{{"rows", 5}, {"width", 6}}));
  EXPECT_FALSE((shape{{"width", 5}}) == (shape{{"rows", 1}, {"width", 5}}));
}

TEST(Shape, RefusesASizeBelowOneByName) {
  EXPECT_EQ(refusal([] {
              return shape{{"batch", 2}, {"width", 0}};
            }),
            "width is 0; give 1 or more");
  EXPECT_EQ(refusal([] { return shape{{"batch", -4}}; }), "batch is -4; give 1 or more");
}

TEST(Shape, RefusesMoreElementsThan64BitsAndNamesTheAxes) {
  EXPECT_EQ(refusal([] {
              return shape{{"batch", 1 << 20}, {"context", std::int64_t{1} << 40}, {"width", 8}};
            }),
            "the elements of [batch 1048576, context 1099511627776, width 8] do not fit 64 bits; "
            "make an axis smaller");
  // A product that wraps around to a small positive number is still refused.
  EXPECT_THAT(refusal([] {
                return shape{{"a", std::int64_t{1} << 32}, {"b", std::int64_t{1} << 32}, {"c", 3}};
              }),
              HasSubstr("do not fit 64 bits"));
}

TEST(Shape, RefusesMoreBytesThan64Bits) {
  const shape largest{{"rows", std::int64_t{1} << 31}, {"width", std::int64_t{1} << 30}};
  EXPECT_THAT(refusal([&] { return storage_of(largest, dtype::float32); }),
              HasSubstr("the bytes of [rows 2147483648, width 1073741824] in float32"));
  EXPECT_EQ(storage_of(largest, dtype::bfloat16).n, std::int64_t{1} << 62);
}

TEST(Dtype, NamesGoBothWays) {
  EXPECT_EQ(dtype_from_name("float32"), dtype::float32);
  EXPECT_EQ(dtype_from_name(name_of(dtype::bfloat16)), dtype::bfloat16);
  EXPECT_EQ(refusal([] { return dtype_from_name("fp32"); }),
            "unknown dtype \"fp32\"; write \"float32\" or \"bfloat16\"");
}

}  // namespace
}  // namespace headroom::kernels
