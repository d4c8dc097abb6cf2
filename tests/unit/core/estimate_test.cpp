// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/estimate.hpp>

#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <limits>

namespace headroom {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

TEST(Estimate, ASumThatDoesNotFitIsRefused) {
  const std::vector<weight_group> groups{{"a", most / 8, 8, ""}, {"b", most / 8, 64, ""}};
  EXPECT_THROW(static_cast<void>(estimate_weights(groups)), usage_error);
  estimate figures = estimate_weights(std::vector<weight_group>{{"a", most / 8, 8, ""}});
  EXPECT_EQ(figures.total(), bytes{most / 8});
  add_reserve(figures, std::vector<reserve_item>{{"r", bytes{most}, basis::assumed, ""}});
  EXPECT_THROW(static_cast<void>(figures.total()), usage_error);
}

TEST(Estimate, TheWeakestBasisIsThatOfTheTotal) {
  estimate figures = estimate_weights(std::vector<weight_group>{{"a", 10, 8, ""}});
  EXPECT_EQ(figures.total_basis(), basis::computed);
  add_reserve(figures, std::vector<reserve_item>{{"r", 5_B, basis::measured, ""}});
  EXPECT_EQ(figures.total_basis(), basis::measured);
  EXPECT_EQ(figures.total(), 15_B);
  EXPECT_EQ(figures.computed(), 10_B);
}

TEST(Estimate, ACapacityIsInclusiveAndFitsNeedsAReserve) {
  const estimate figures = estimate_weights(std::vector<weight_group>{{"a", 10, 8, ""}});
  EXPECT_EQ(answer_for(figures, true, 10_B), capacity_answer::fits);
  EXPECT_EQ(answer_for(figures, true, 9_B), capacity_answer::does_not_fit);
  EXPECT_EQ(answer_for(figures, false, 10_B), capacity_answer::cannot_be_told);
  EXPECT_EQ(answer_for(figures, false, 9_B), capacity_answer::does_not_fit);
}

TEST(Estimate, EachOptimizerKeepsItsNumbers) {
  training_shape shape{100, 100, 16, 16, optimizer_rule::adamw, 32, 0};
  EXPECT_EQ(estimate_training(shape).total(), bytes{200 + 200 + 800});
  shape.optimizer = optimizer_rule::momentum;
  EXPECT_EQ(estimate_training(shape).total(), bytes{200 + 200 + 400});
  shape.optimizer = optimizer_rule::sgd;
  EXPECT_EQ(estimate_training(shape).total(), bytes{200 + 200});
  shape.master_bits = 32;
  shape.trained = 10;
  EXPECT_EQ(estimate_training(shape).total(), bytes{200 + 20 + 40});
  for (const auto kind : {optimizer_rule::adamw, optimizer_rule::momentum, optimizer_rule::sgd}) {
    EXPECT_EQ(optimizer_rule_from_name(name_of(kind)), kind);
  }
  EXPECT_EQ(optimizer_rule_from_name("adam"), std::nullopt);
}

TEST(KvCache, OnlyWhatIsOnTheDeviceIsATerm) {
  kv_cache_request request;
  request.layers = 32;
  request.kv_heads = 8;
  request.head_dim = 128;
  request.sequences = {{4, 8192}};
  EXPECT_EQ(estimate_of_kv_cache(request).total(), 4_GiB);
  EXPECT_EQ(estimate_of_kv_cache(request).left_out.front(),
            "16.00 MiB (16775168 B) for a moment while the cache grows by a token");
  request.strategy = kv_cache_strategy::offloaded;
  EXPECT_EQ(estimate_of_kv_cache(request).total(), 128_MiB);
  EXPECT_EQ(estimate_of_kv_cache(request).left_out.front(),
            "4.00 GiB (4294967296 B) in the memory of the host");
  request.layers = most;
  EXPECT_THROW(static_cast<void>(estimate_of_kv_cache(request)), usage_error);
}

}  // namespace
}  // namespace headroom
