// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <headroom/core/error.hpp>
#include <headroom_kernels/checkpointing.hpp>
#include <string>
#include <utility>
#include <vector>

namespace headroom::kernels {
namespace {

using keeping = checkpoint_policy::keeping;

kept_tensors kept(std::string_view name, std::int64_t layers) {
  return plan_kept_tensors(checkpoint_policy_from_name(name, layers), layers);
}

std::string refusal(std::string_view name, std::int64_t layers) {
  try {
    static_cast<void>(checkpoint_policy_from_name(name, layers));
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(CheckpointPolicy, HasSegmentsOfAsManyLayersAsItsNameSays) {
  EXPECT_EQ(checkpoint_policy_from_name("none", 8).keeps, keeping::all);
  EXPECT_EQ(checkpoint_policy_from_name("selective", 8).keeps, keeping::products);
  const auto segment = [](std::string_view name, std::int64_t layers) {
    const checkpoint_policy policy = checkpoint_policy_from_name(name, layers);
    EXPECT_EQ(policy.keeps, keeping::segments) << name;
    EXPECT_EQ(policy.name, name);
    return policy.segment_layers;
  };
  EXPECT_EQ(segment("every_layer", 8), 1);
  EXPECT_EQ(segment("every_1", 8), 1);
  EXPECT_EQ(segment("every_3", 8), 3);
  EXPECT_EQ(segment("every_8", 8), 8);
  EXPECT_EQ(segment("every_12", 1000), 12);
  EXPECT_EQ(segment("sqrt", 1), 1);
  EXPECT_EQ(segment("sqrt", 2), 2);
  EXPECT_EQ(segment("sqrt", 16), 4);
  EXPECT_EQ(segment("sqrt", 17), 5);
  EXPECT_EQ(segment("sqrt", 1024), 32);
}

TEST(CheckpointPolicy, RefusesNamesThatItDoesNotKnowAndSaysWhatToWrite) {
  for (const char* name : {"", "all", "None", "every_", "every_two", "every_+2", "every_-1",
                           "every_02", "every_2 ", "every_99999999999999999999", "sqrt2"}) {
    EXPECT_THAT(refusal(name, 8), testing::StartsWith("there is no checkpointing policy \""))
        << name;
  }
  EXPECT_EQ(refusal("every_othr", 8),
            "there is no checkpointing policy \"every_othr\"; write \"none\", \"selective\", "
            "\"every_layer\", \"every_2\" (or another number of layers) or \"sqrt\"");
  EXPECT_EQ(refusal("every_0", 8),
            "the checkpointing policy \"every_0\" has no layer in a segment; write "
            "\"every_layer\", or \"none\" to keep all activations");
  EXPECT_EQ(refusal("every_9", 8),
            "the checkpointing policy \"every_9\" has more layers in a segment than the network, "
            "which has 8; write \"every_8\" or a smaller number");
}

TEST(KeptTensors, FollowTheLawOfEachPolicy) {
  for (const std::int64_t layers : {1, 2, 3, 16, 17, 64, 100, 1000, 1024}) {
    SCOPED_TRACE(layers);
    EXPECT_EQ(kept("none", layers).after_forward, 2 * layers - 1);
    EXPECT_EQ(kept("selective", layers).after_forward, layers);
    // Layer 0 has the network's own input.
    EXPECT_EQ(kept("every_layer", layers).after_forward, layers - 1);
    EXPECT_EQ(kept("every_layer", layers).at_most, layers);
    EXPECT_LE(static_cast<double>(kept("sqrt", layers).at_most),
              2 * std::sqrt(static_cast<double>(layers)) + 2);
  }
  EXPECT_EQ(kept("every_4", 10).after_forward, 2);  // inputs of layers 4 and 8
  EXPECT_EQ(kept("every_4", 10).at_most, 5);        // input of layer 4, four products
  EXPECT_EQ(kept("every_4", 12).at_most, 6);        // both inputs, four products
  EXPECT_EQ(kept("every_10", 10).after_forward, 0);
  EXPECT_EQ(kept("every_10", 10).at_most, 10);
}

/// What a pass over the layers keeps, counted one by one.
kept_tensors counted(const checkpoint_policy& policy, std::int64_t layers) {
  kept_tensors count;
  std::int64_t now = 0;
  std::int64_t products = 0;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    if (layer > 0 && policy.keeps_input(layer)) ++now;
    if (policy.keeps_product()) ++now, ++products;
  }
  count = {now, now, products, products};
  products = 0;  // of the segment that runs again
  for (std::int64_t layer = layers - 1; layer >= 0; --layer) {
    if (policy.keeps_product()) break;
    if (products == 0) {
      const std::int64_t first = layer / policy.segment_layers * policy.segment_layers;
      products = layer - first + 1;
      now += products;
      if (std::pair(now, products) > std::pair(count.at_most, count.products_at_most)) {
        count.at_most = now;
        count.products_at_most = products;
      }
    }
    --products;
    --now;
    if (layer > 0 && policy.keeps_input(layer)) --now;
  }
  return count;
}

TEST(KeptTensors, AreThoseOfACountLayerByLayer) {
  for (std::int64_t layers = 1; layers <= 40; ++layers) {
    std::vector<std::string> names{"none", "selective", "every_layer", "sqrt"};
    for (std::int64_t k = 1; k <= layers; ++k) names.push_back("every_" + std::to_string(k));
    for (const std::string& name : names) {
      SCOPED_TRACE(name + " of " + std::to_string(layers));
      const kept_tensors expected = counted(checkpoint_policy_from_name(name, layers), layers);
      EXPECT_EQ(kept(name, layers).after_forward, expected.after_forward);
      EXPECT_EQ(kept(name, layers).at_most, expected.at_most);
      EXPECT_EQ(kept(name, layers).products_after_forward, expected.products_after_forward);
      EXPECT_EQ(kept(name, layers).products_at_most, expected.products_at_most);
    }
  }
}

}  // namespace
}  // namespace headroom::kernels
