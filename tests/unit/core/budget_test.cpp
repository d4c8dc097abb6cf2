// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <headroom/core/budget.hpp>
#include <headroom/core/error.hpp>
#include <limits>

namespace headroom {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

weight_group group(std::int64_t parameters, int bits) { return {"linear", parameters, bits, ""}; }

reserve_item item(const char* name, bytes size) { return {name, size, basis::assumed, "test"}; }

limit at_most(bytes size) {
  limit result;
  result.at_most = size;
  return result;
}

limit at_most_envelope() {
  limit result;
  result.at_most_is_envelope = true;
  return result;
}

TEST(Basis, NamesReadBack) {
  for (const basis b : {basis::computed, basis::measured, basis::assumed}) {
    EXPECT_EQ(basis_from_name(name_of(b)), b);
  }
  EXPECT_EQ(basis_from_name("guessed"), std::nullopt);
  EXPECT_EQ(basis_from_name(""), std::nullopt);
}

TEST(StorageBytes, SevenBillionParameters) {
  EXPECT_EQ(storage_bytes(group(7'000'000'000, 16)), 14_GB);
  EXPECT_EQ(storage_bytes(group(7'000'000'000, 8)), 7_GB);
  EXPECT_EQ(storage_bytes(group(7'000'000'000, 4)), bytes{3'500'000'000});
}

TEST(StorageBytes, RoundsUpToWholeBytes) {
  EXPECT_EQ(storage_bytes(group(0, 4)), 0_B);
  EXPECT_EQ(storage_bytes(group(1, 1)), 1_B);
  EXPECT_EQ(storage_bytes(group(8, 1)), 1_B);
  EXPECT_EQ(storage_bytes(group(9, 1)), 2_B);
  EXPECT_EQ(storage_bytes(group(3, 4)), 2_B);
}

TEST(StorageBytes, RefusesWhatDoesNotFit) {
  EXPECT_EQ(storage_bytes(group(largest / 8, 8)), bytes{largest / 8});
  EXPECT_THROW((void)storage_bytes(group(largest / 8 + 1, 8)), usage_error);
  EXPECT_THROW((void)storage_bytes(group(largest, 1)), usage_error) << "the rounding overflows";
}

TEST(Envelope, IsWeightsPlusReserve) {
  budget plan;
  EXPECT_EQ(plan.envelope(), 0_B);
  plan.weights = {group(7'000'000'000, 16), group(1, 8)};
  plan.reserve = {item("activations", 3_GiB), item("workspace", 1_GiB)};
  EXPECT_EQ(plan.weight_bytes(), 14_GB + 1_B);
  EXPECT_EQ(plan.reserve_bytes(), 4_GiB);
  EXPECT_EQ(plan.envelope(), 14_GB + 1_B + 4_GiB);
}

TEST(Envelope, RefusesSumsThatDoNotFit) {
  budget plan;
  plan.reserve = {item("a", bytes{largest}), item("b", 1_B)};
  EXPECT_THROW((void)plan.reserve_bytes(), usage_error);
  plan.reserve.pop_back();
  EXPECT_EQ(plan.envelope(), bytes{largest});
  plan.weights = {group(1, 8)};
  EXPECT_THROW((void)plan.envelope(), usage_error);
  plan.weights = {group(largest / 8, 8), group(largest / 8, 8)};
  plan.weights.insert(plan.weights.end(), 7, group(largest / 8, 8));
  EXPECT_THROW((void)plan.weight_bytes(), usage_error);
}

TEST(ForDevice, FillsInTheEnvelopeEverywhere) {
  budget plan;
  plan.reserve = {item("a", 5_MiB)};
  plan.limits[counter_id::allocated_peak] = at_most_envelope();
  plan.limits[counter_id::reserved_peak] = at_most(1_GiB);
  plan.cold_limits[counter_id::allocated_current] = at_most_envelope();
  plan.warm_limits[counter_id::allocated_current] = limit{};
  plan.warm_limits[counter_id::allocated_current]->at_least_is_envelope = true;
  plan.per_phase = {{"inputs", {}}};
  plan.per_phase[0].limits[counter_id::allocated_peak] = at_most_envelope();

  const budget here = plan.for_device("cpu", "host");
  EXPECT_EQ(here.limits[counter_id::allocated_peak]->at_most, 5_MiB);
  EXPECT_EQ(here.limits[counter_id::reserved_peak]->at_most, 1_GiB);
  EXPECT_EQ(here.cold_limits[counter_id::allocated_current]->at_most, 5_MiB);
  EXPECT_EQ(here.warm_limits[counter_id::allocated_current]->at_least, 5_MiB);
  EXPECT_EQ(here.warm_limits[counter_id::allocated_current]->at_most, std::nullopt);
  EXPECT_EQ(here.per_phase[0].limits[counter_id::allocated_peak]->at_most, 5_MiB);
  EXPECT_EQ(here.limits[counter_id::reserved_current], std::nullopt);
}

TEST(ForDevice, OverridesByIdOrName) {
  budget plan;
  plan.reserve = {item("a", 5_MiB)};
  plan.limits[counter_id::allocated_peak] = at_most_envelope();
  plan.limits[counter_id::reserved_peak] = at_most(1_GiB);
  plan.cold_limits[counter_id::allocated_current] = at_most(3_MiB);
  plan.warm_limits[counter_id::allocated_current] = at_most(4_MiB);
  device_override big{"Big Card", std::vector{item("a", 7_MiB)}, {}};
  big.limits[counter_id::reserved_peak] = at_most(2_GiB);
  big.cold_limits[counter_id::allocated_current] = at_most_envelope();
  plan.per_device = {big};

  EXPECT_EQ(plan.for_device("cuda:0", "Small Card").reserve_bytes(), 5_MiB);
  for (const auto& [id, name] : {std::pair{"cuda:0", "Big Card"}, std::pair{"Big Card", "x"}}) {
    const budget here = plan.for_device(id, name);
    EXPECT_EQ(here.reserve_bytes(), 7_MiB);
    EXPECT_EQ(here.limits[counter_id::allocated_peak]->at_most, 7_MiB)
        << "of this device's reserve";
    EXPECT_EQ(here.limits[counter_id::reserved_peak]->at_most, 2_GiB);
    EXPECT_EQ(here.cold_limits[counter_id::allocated_current]->at_most, 7_MiB);
    EXPECT_EQ(here.warm_limits[counter_id::allocated_current]->at_most, 4_MiB) << "kept";
  }
}

}  // namespace
}  // namespace headroom
