// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom/device/plan_device.hpp>

#include "decoder_support.hpp"

namespace headroom::kernels {
namespace {

class given_keys final : public attention_keys {
 public:
  given_keys(const kv_rows& rows, std::int64_t first) : rows_(rows), first_(first) {}
  [[nodiscard]] std::int64_t count() const override { return rows_.count; }
  [[nodiscard]] std::int64_t first_position() const override { return first_; }
  [[nodiscard]] kv_rows read(std::int64_t first, std::int64_t count) override {
    return part_of(rows_, first, count);
  }

 private:
  kv_rows rows_;
  std::int64_t first_;
};

struct attention_case {
  std::int64_t queries;
  std::int64_t keys;
  std::int64_t first_query;
  std::int64_t first_key;
  std::int64_t window;
};

/// softmax(q k') v in double, head by head.
std::vector<float> reference(const attention_settings& s, const attention_case& c,
                             const std::vector<float>& q, const std::vector<float>& k,
                             const std::vector<float>& v) {
  const std::int64_t width = s.heads * s.head_dim;
  const std::int64_t kv_width = s.kv_heads * s.head_dim;
  std::vector<float> y(static_cast<std::size_t>(c.queries * width));
  const auto at = [](const std::vector<float>& of, std::int64_t i) {
    return static_cast<double>(of[static_cast<std::size_t>(i)]);
  };
  for (std::int64_t i = 0; i < c.queries; ++i) {
    for (std::int64_t head = 0; head < s.heads; ++head) {
      const std::int64_t kv = head / (s.heads / s.kv_heads) * s.head_dim;
      std::vector<double> weights;
      double sum = 0.0;
      for (std::int64_t j = 0; j < c.keys; ++j) {
        const std::int64_t back = c.first_query + i - c.first_key - j;
        double dot = 0.0;
        for (std::int64_t d = 0; d < s.head_dim; ++d) {
          dot += at(q, i * width + head * s.head_dim + d) * at(k, j * kv_width + kv + d);
        }
        const bool seen = back >= 0 && (c.window == 0 || back < c.window);
        weights.push_back(seen ? std::exp(dot / std::sqrt(static_cast<double>(s.head_dim))) : 0.0);
        sum += weights.back();
      }
      for (std::int64_t d = 0; d < s.head_dim; ++d) {
        double value = 0.0;
        for (std::int64_t j = 0; j < c.keys; ++j) {
          value += weights[static_cast<std::size_t>(j)] * at(v, j * kv_width + kv + d);
        }
        y[static_cast<std::size_t>(i * width + head * s.head_dim + d)] =
            static_cast<float>(value / sum);
      }
    }
  }
  return y;
}

class Attention : public testing::TestWithParam<dtype> {
 protected:
  void expect_reference(attention_settings settings, const attention_case& c, double tolerance) {
    SCOPED_TRACE(testing::Message()
                 << name_of(settings.form) << ", " << c.queries << " queries at " << c.first_query
                 << ", " << c.keys << " keys at " << c.first_key << ", window " << c.window);
    settings.type = GetParam();
    settings.window = c.window;
    const shape wide{{"tokens", c.queries}, {"width", settings.heads * settings.head_dim}};
    const shape narrow{{"tokens", c.keys}, {"width", settings.kv_heads * settings.head_dim}};
    const tensor q = test::make(cpu_, wide, GetParam(), test::random_values(wide.elements(), 1));
    const tensor k =
        test::make(cpu_, narrow, GetParam(), test::random_values(narrow.elements(), 2));
    const tensor v =
        test::make(cpu_, narrow, GetParam(), test::random_values(narrow.elements(), 3));
    const tensor y(cpu_, {}, wide, GetParam(), tag::other);
    given_keys keys({k.address(), v.address(), c.keys, narrow.width(), GetParam()}, c.first_key);
    attend(cpu_, {}, products_, settings,
           {q.address(), c.queries, wide.width(), c.first_query, y.address(), wide.width()}, keys);
    const std::vector<float> expected =
        reference(settings, c, test::read(cpu_, q), test::read(cpu_, k), test::read(cpu_, v));
    EXPECT_LT(test::relative_difference(test::read(cpu_, y), expected), tolerance);
  }

  cpu_device cpu_;
  matrix_library products_{cpu_, {}};
};
INSTANTIATE_TEST_SUITE_P(Types, Attention, testing::Values(dtype::float32, dtype::bfloat16),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(Attention, BothFormsEqualTheDefinitionAtEveryEdgeOfATile) {
  attention_settings settings{6, 2, 4, {}, {}, 0, 4, 8};
  const double tolerance = GetParam() == dtype::float32 ? 2e-6 : 0.02;
  for (const attention_form form : {attention_form::materialised, attention_form::tiled}) {
    settings.form = form;
    for (const attention_case& each : {attention_case{1, 1, 0, 0, 0},
                                       {1, 8, 7, 0, 0},
                                       {1, 9, 8, 0, 0},
                                       {1, 30, 29, 0, 5},
                                       {4, 4, 0, 0, 0},
                                       {5, 5, 0, 0, 0},
                                       {23, 23, 0, 0, 0},
                                       {23, 23, 0, 0, 1},
                                       {23, 23, 0, 0, 6},
                                       {7, 20, 13, 0, 0},
                                       {7, 20, 33, 20, 0},
                                       {7, 20, 33, 20, 9},
                                       {8, 40, 32, 0, 16}}) {
      expect_reference(settings, each, tolerance);
    }
  }
}

TEST_P(Attention, OneQueryOfManyHeadsEqualsTheDefinition) {
  for (const std::int64_t kv_heads : {1, 2, 4, 8}) {
    attention_settings settings{8, kv_heads, 6, {}, attention_form::tiled, 0, 3, 5};
    expect_reference(settings, {1, 17, 16, 0, 0}, GetParam() == dtype::float32 ? 2e-6 : 0.02);
  }
}

/// The most working memory that attention takes on the plan device.
bytes workspace_of(attention_form form, std::int64_t context, dtype type) {
  plan_device plan("1TB");
  matrix_library products(plan, {}, bytes{512});
  const attention_settings settings{32, 8, 128, type, form};
  const buffer memory(plan, bytes{512}, tag::other);  // an address; nothing is read or written
  void* const any = memory.address();
  given_keys keys({any, any, context, 1024, type}, 0);
  attend(plan, {}, products, settings, {any, context, 6144, 0, any, 4096}, keys);
  const auto moment = plan.counters().read().at_allocated_peak;
  return (*moment->by_tag)[tag::workspace] - bytes{512};
}

TEST_P(Attention, WorkingMemoryGrowsWithTheSquareOfTheContextOrNotAtAll) {
  const bytes element = size_of(GetParam());
  for (std::int64_t context = 1024; context <= 32768; context *= 2) {
    EXPECT_EQ(workspace_of(attention_form::materialised, context, GetParam()),
              32 * context * context * element);
    EXPECT_EQ(workspace_of(attention_form::tiled, context, GetParam()),
              workspace_of(attention_form::tiled, 1024, GetParam()));
  }
  EXPECT_LT(workspace_of(attention_form::tiled, 32768, GetParam()), 16_MiB);
}

TEST(AttentionForm, IsKnownByName) {
  EXPECT_EQ(attention_form_from_name("tiled"), attention_form::tiled);
  EXPECT_EQ(attention_form_from_name("materialised"), attention_form::materialised);
  EXPECT_THROW(static_cast<void>(attention_form_from_name("flash")), usage_error);
}

}  // namespace
}  // namespace headroom::kernels
