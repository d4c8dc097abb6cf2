// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom_kernels/blas.hpp>
#include <limits>
#include <ostream>
#include <string>

#include "values.hpp"

namespace headroom::kernels {
namespace {

using test::make;
using test::random_values;
using test::read;
using testing::HasSubstr;

struct product_case {
  const char* name;
  int m, n, k;
  bool transpose_a, transpose_b;
  float alpha, beta;
  dtype type, type_c;
  int gap = 0;  // elements between the rows of each matrix

  friend void PrintTo(const product_case& p, std::ostream* out) { *out << p.name; }
};

constexpr auto f32 = dtype::float32;
constexpr auto b16 = dtype::bfloat16;

class Product : public testing::TestWithParam<product_case> {
 protected:
  /// rows x columns with `gap` elements behind each row.
  tensor stored(int rows, int columns, dtype type, std::uint32_t seed) {
    const shape dims{{"rows", rows}, {"leading", columns + GetParam().gap}};
    return make(cpu_, dims, type, random_values(dims.elements(), seed));
  }
  static matrix_view view_of(const tensor& t, int columns, bool transposed) {
    return {t.address(), t.dims().rows(), columns, t.dims().width(), t.type(), transposed};
  }
  cpu_device cpu_;
};

constexpr product_case product_cases[] = {
    {"one", 1, 1, 1, false, false, 1, 0, f32, f32},
    {"odd", 7, 13, 5, false, false, 1, 0, f32, f32},
    {"a_transposed", 7, 13, 5, true, false, 1, 0, f32, f32},
    {"b_transposed", 7, 13, 5, false, true, 1, 0, f32, f32},
    {"both_transposed", 7, 13, 5, true, true, 0.5F, 2, f32, f32},
    {"gaps", 9, 11, 17, false, true, -1.5F, 1, f32, f32, 3},
    {"row_vector", 1, 31, 64, false, false, 1, 0.25F, f32, f32, 1},
    {"column_vector", 33, 1, 64, false, false, 1, 0, f32, f32},
    {"long_sum", 3, 4, 5000, false, false, 1, 0, f32, f32},
    {"wide", 130, 257, 65, true, false, 1, 0, f32, f32, 5},
    {"short_one", 1, 1, 1, false, false, 1, 0, b16, b16},
    {"short_odd", 7, 13, 5, false, false, 1, 0, b16, b16},
    {"short_a_transposed", 7, 13, 5, true, false, 2, 0.5F, b16, b16},
    {"short_b_transposed", 7, 13, 5, false, true, 1, 1, b16, b16, 2},
    {"short_both_transposed", 7, 13, 5, true, true, 1, 0, b16, b16},
    {"short_over_a_block", 515, 3, 7, false, false, 1, 0, b16, b16, 1},
    {"short_over_a_block_down", 3, 5, 1100, true, true, 0.5F, 2, b16, b16, 1},
    {"short_over_a_block_across", 3, 520, 600, true, false, 1, 0, b16, b16, 1},
    {"short_over_blocks_transposed", 514, 513, 515, false, true, 1, 1, b16, b16, 1},
    {"short_into_float", 9, 10, 600, true, false, 1, 1, b16, f32, 4},
};
INSTANTIATE_TEST_SUITE_P(MatrixLibrary, Product, testing::ValuesIn(product_cases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST_P(Product, MeetsADoubleLoop) {
  const product_case& p = GetParam();
  const auto [a_rows, a_columns] = p.transpose_a ? std::pair(p.k, p.m) : std::pair(p.m, p.k);
  const auto [b_rows, b_columns] = p.transpose_b ? std::pair(p.n, p.k) : std::pair(p.k, p.n);
  const tensor a = stored(a_rows, a_columns, p.type, 11);
  const tensor b = stored(b_rows, b_columns, p.type, 12);
  const tensor c = stored(p.m, p.n, p.type_c, 13);
  const std::vector<float> as = read(cpu_, a);
  const std::vector<float> bs = read(cpu_, b);
  const std::vector<float> before = read(cpu_, c);

  matrix_library products(cpu_, {});
  products.multiply(p.alpha, view_of(a, a_columns, p.transpose_a),
                    view_of(b, b_columns, p.transpose_b), p.beta, view_of(c, p.n, false));
  const std::vector<float> after = read(cpu_, c);

  const auto at = [&](const std::vector<float>& values, const tensor& t, bool transposed, int row,
                      int column) -> double {
    if (transposed) std::swap(row, column);
    return values[static_cast<std::size_t>(row * t.dims().width() + column)];
  };
  for (int row = 0; row < p.m; ++row) {
    for (int column = 0; column < p.n; ++column) {
      double sum = 0;
      double size = 0;
      for (int i = 0; i < p.k; ++i) {
        const double term = at(as, a, p.transpose_a, row, i) * at(bs, b, p.transpose_b, i, column);
        sum += term;
        size += std::abs(term);
      }
      const double old = at(before, c, false, row, column);
      const double expected = p.alpha * sum + p.beta * old;
      // A sum of k products in float32, in any order, then one rounding to the result's type.
      const double tolerance =
          (p.k + 3) * 0x1p-24 * (std::abs(p.alpha) * size + std::abs(p.beta * old)) +
          std::abs(expected) * test::rounding_of(p.type_c) * 1.01;
      ASSERT_NEAR(at(after, c, false, row, column), expected, tolerance)
          << "at row " << row << ", column " << column;
    }
    for (int i = p.n; i < p.n + p.gap; ++i) {  // between the rows nothing is written
      ASSERT_EQ(at(after, c, false, row, i), at(before, c, false, row, i)) << "behind row " << row;
    }
  }
}

TEST_P(Product, GivesTheSameBitsAgain) {
  const product_case& p = GetParam();
  const auto [a_rows, a_columns] = p.transpose_a ? std::pair(p.k, p.m) : std::pair(p.m, p.k);
  const auto [b_rows, b_columns] = p.transpose_b ? std::pair(p.n, p.k) : std::pair(p.k, p.n);
  const tensor a = stored(a_rows, a_columns, p.type, 21);
  const tensor b = stored(b_rows, b_columns, p.type, 22);
  std::vector<std::vector<float>> results;
  for (int run = 0; run < 2; ++run) {
    const tensor c = stored(p.m, p.n, p.type_c, 23);
    matrix_library products(cpu_, {});
    products.multiply(p.alpha, view_of(a, a_columns, p.transpose_a),
                      view_of(b, b_columns, p.transpose_b), p.beta, view_of(c, p.n, false));
    results.push_back(read(cpu_, c));
  }
  EXPECT_EQ(results[0], results[1]);
}

class BetaZero : public testing::TestWithParam<dtype> {};
INSTANTIATE_TEST_SUITE_P(MatrixLibrary, BetaZero, testing::Values(f32, b16),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(BetaZero, WithBetaZeroTheOldContentIsNotRead) {
  cpu_device cpu;
  const tensor a = make(cpu, {{"m", 2}, {"k", 2}}, GetParam(), {1, 2, 3, 4});
  const tensor c = make(cpu, {{"m", 2}, {"n", 2}}, GetParam(),
                        std::vector<float>(4, std::numeric_limits<float>::quiet_NaN()));
  matrix_library products(cpu, {});
  products.multiply(matrix_of(a), transpose(matrix_of(a)), matrix_of(c));
  EXPECT_THAT(read(cpu, c), testing::ElementsAre(5, 11, 11, 25));
}

TEST(MatrixLibrary, TakesItsWorkspaceAtTheFirstProductOnEveryDevice) {
  cpu_device cpu;
  plan_device plan(bytes{1 << 30});
  for (device* on : {static_cast<device*>(&cpu), static_cast<device*>(&plan)}) {
    SCOPED_TRACE(on->info().id);
    const tensor a(*on, {}, {{"m", 4}, {"k", 4}}, f32, tag::other);
    on->fill_zero(a.address(), a.size(), {});
    const tensor c(*on, {}, {{"m", 4}, {"n", 4}}, f32, tag::other);
    const auto allocated = [&] { return *on->counters().read()[counter_id::allocated_current]; };
    const bytes before = allocated();
    {
      matrix_library products(*on, {}, bytes{3 << 20});
      EXPECT_EQ(allocated(), before);
      products.multiply(matrix_of(a), matrix_of(a), matrix_of(c));
      EXPECT_EQ(allocated() - before, bytes{3 << 20});
      products.multiply(matrix_of(a), matrix_of(a), matrix_of(c));
      EXPECT_EQ(allocated() - before, bytes{3 << 20});
      on->counters().reset_peaks();
      const auto moment = on->counters().read().at_allocated_peak;
      ASSERT_TRUE(moment && moment->by_tag);
      EXPECT_EQ((*moment->by_tag)[tag::workspace], bytes{3 << 20});
      EXPECT_EQ(products.workspace(), bytes{3 << 20});
    }
    EXPECT_EQ(allocated(), before);
  }
}

class ProductRefusals : public testing::Test {
 protected:
  std::string refusal(const matrix_view& a, const matrix_view& b, const matrix_view& c) {
    try {
      matrix_library(plan_, {}).multiply(a, b, c);
    } catch (const usage_error& problem) {
      return problem.what();
    }
    return "(not refused)";
  }
  plan_device plan_{bytes{1 << 30}};
};

TEST_F(ProductRefusals, NameTheMatricesAndWhatIsWrong) {
  const matrix_view a{nullptr, 3, 4, 4, f32};
  const matrix_view b{nullptr, 4, 5, 5, f32};
  const matrix_view c{nullptr, 3, 5, 5, f32};
  EXPECT_EQ(refusal(a, b, c), "(not refused)");
  EXPECT_EQ(
      refusal(a, transpose(b), c),
      "matrix product of float32 [3, 4] and float32 [4, 5] transposed into float32 [3, 5]: a must "
      "have as many columns as b has rows");
  EXPECT_THAT(refusal(a, b, {nullptr, 5, 3, 3, f32}),
              HasSubstr("the rows of a and the columns of b"));
  EXPECT_THAT(refusal(a, b, {nullptr, 5, 3, 3, f32, true}), HasSubstr("do not transpose"));
  EXPECT_THAT(refusal(a, {nullptr, 4, 5, 5, b16}, c), HasSubstr("a and b must be of one type"));
  EXPECT_THAT(refusal(a, b, {nullptr, 3, 5, 5, b16}),
              HasSubstr("of the type of a and b, or float32"));
  EXPECT_THAT(refusal({nullptr, 3, 4, 2, f32}, b, c), HasSubstr("rows 2 elements apart overlap"));
  EXPECT_THAT(refusal({nullptr, 0, 4, 4, f32}, b, {nullptr, 0, 5, 5, f32}), HasSubstr("below 1"));
  const std::int64_t large = std::int64_t{1} << 31;
  EXPECT_THAT(refusal({nullptr, large, 4, 4, f32}, b, {nullptr, large, 5, 5, f32}),
              HasSubstr("32 bits; split the product"));
}

TEST_F(ProductRefusals, AWorkspaceOfNothingWouldNotBeCounted) {
  EXPECT_THROW(matrix_library(plan_, {}, bytes{0}), usage_error);
}

}  // namespace
}  // namespace headroom::kernels
