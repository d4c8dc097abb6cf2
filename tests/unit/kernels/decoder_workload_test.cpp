// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom_kernels/decoder_workload.hpp>
#include <headroom_kernels/workloads.hpp>

#include "generation_support.hpp"
#include "same_readings.hpp"

namespace headroom::kernels {
namespace {

using test::run;
using test::small_generation;

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

bytes read(const phase_record& phase, counter_id counter) {
  return phase.readings.at(0).end[counter].value();
}

using generation_case = std::tuple<const char*, const char*, const char*>;
class Generation : public testing::TestWithParam<generation_case> {
 protected:
  static workload_description description() {
    workload_description made = small_generation(std::get<0>(GetParam()), std::get<2>(GetParam()));
    made.options.emplace_back("attention", std::get<1>(GetParam()));
    return made;
  }
};
INSTANTIATE_TEST_SUITE_P(Decoder, Generation,
                         testing::Combine(testing::Values("growing", "static", "sliding_window",
                                                          "quantized", "offloaded", "paged",
                                                          "shared"),
                                          testing::Values("materialised", "tiled"),
                                          testing::Values("float32", "bfloat16")),
                         [](const auto& each) {
                           return std::string(std::get<0>(each.param)) + "_" +
                                  std::get<1>(each.param) + "_" + std::get<2>(each.param);
                         });

TEST_P(Generation, ReadsTheSameOnCpuAndPlan) {
  cpu_device cpu;
  plan_device plan("1GB");
  decoder_workload computed(description());
  decoder_workload planned(description());
  const series_record on_cpu = run(cpu, computed);
  test::expect_same_readings(on_cpu, run(plan, planned));
  std::vector<std::string> names;
  for (const phase_record& each : on_cpu.phases) names.push_back(each.name);
  EXPECT_THAT(names,
              testing::ElementsAre("model_load", "inputs", "cold_generate", "prefill", "decode",
                                   "warmup", "prefill", "decode", "warm_generate", "prefill",
                                   "decode", "warm_generate", "prefill", "decode"));
}

TEST_P(Generation, HoldsTheCachesFormulaAndItsSizes) {
  cpu_device cpu;
  decoder_workload work(description());
  const generation_sizes sizes = work.sizes();
  const series_record series = run(cpu, work);
  EXPECT_EQ(work.cache_held().value().requested, sizes.cache.device);
  EXPECT_EQ(work.cache_held().value().host, sizes.cache.host);
  bytes activations;
  bytes attention;
  for (const phase_record& phase : series.phases) {
    SCOPED_TRACE(phase.name);
    const auto& moment = phase.readings.at(0).end.at_allocated_peak;
    ASSERT_TRUE(moment && moment->by_tag);
    const tag_table& held = *moment->by_tag;
    if (phase.name == "model_load") {
      EXPECT_EQ(held[tag::weights], sizes.weights);
      continue;
    }
    EXPECT_EQ(held[tag::inputs], sizes.inputs);
    if (phase.name == "decode") {
      // What stays is what stays between passes and the cache, when it is full.
      EXPECT_EQ(read(phase, counter_id::allocated_current),
                sizes.weights + sizes.inputs + sizes.workspace + work.cache_held()->allocated);
    }
    if (phase.name == "warm_generate") {
      EXPECT_EQ(read(phase, counter_id::allocated_current),
                sizes.weights + sizes.inputs + sizes.workspace);
    }
    activations = std::max(activations, held[tag::activations]);
    attention = std::max(attention, held[tag::workspace] - sizes.workspace);
  }
  EXPECT_LE(activations, sizes.activations);
  EXPECT_LE(attention, sizes.attention);
  EXPECT_TRUE(activations == sizes.activations || attention == sizes.attention)
      << "the peak is in the MLP or the logits, or in attention";
}

TEST_P(Generation, ChoosesTheSameTokensInEachPass) {
  cpu_device cpu;
  std::vector<std::vector<std::int32_t>> found;
  for (const int repeats : {1, 3}) {
    decoder_workload work(description());
    static_cast<void>(run(cpu, work, {0, repeats}));
    const class_view chosen = work.chosen();
    ASSERT_EQ(chosen.count, 7 * 3);
    found.emplace_back(chosen.address, chosen.address + chosen.count);
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_THAT(found[0], testing::Each(testing::AllOf(testing::Ge(0), testing::Lt(100))));
  EXPECT_NE(found[0], std::vector<std::int32_t>(21, found[0][0]));
}

TEST(GenerationLoad, AStagingCopyIsAPeakOfItsOwn) {
  for (const char* staging : {"none", "float32"}) {
    plan_device plan("1GB");
    workload_description description = small_generation("growing", "bfloat16");
    description.options.emplace_back("staging", staging);
    decoder_workload work(description);
    const series_record series = run(plan, work);
    const generation_sizes sizes = work.sizes();
    EXPECT_EQ(sizes.staging, bytes{staging == std::string("none") ? 0 : 64 * 192 * 4});
    // The largest weight, gate and up, is in the middle; the last ones are smaller.
    const bytes peak = read(series.phases[0], counter_id::allocated_peak);
    EXPECT_GE(peak, sizes.weights);
    EXPECT_LE(peak, sizes.weights + sizes.staging);
    EXPECT_EQ(peak > sizes.weights, staging == std::string("float32"));
    EXPECT_EQ(read(series.phases[0], counter_id::allocated_current), sizes.weights);
    EXPECT_THAT(series.settings, Contains(Pair("staging", staging)));
  }
}

TEST(GenerationLoad, StagedWeightsAreTheSame) {
  cpu_device cpu;
  std::vector<std::vector<std::int32_t>> found;
  for (const char* staging : {"none", "float32"}) {
    workload_description description = small_generation("growing", "bfloat16");
    description.options.emplace_back("staging", staging);
    decoder_workload work(description);
    static_cast<void>(run(cpu, work));
    found.emplace_back(work.chosen().address, work.chosen().address + work.chosen().count);
  }
  EXPECT_EQ(found[0], found[1]);
}

class PackedGeneration : public testing::TestWithParam<const char*> {
 protected:
  static workload_description description(const char* dtype) {
    workload_description made = small_generation("growing", dtype);
    made.options.emplace_back("weights", GetParam());
    made.requested.set("group", 24);
    return made;
  }
};
INSTANTIATE_TEST_SUITE_P(Formats, PackedGeneration, testing::Values("int8", "int4"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(PackedGeneration, HoldsItsEstimateTermByTermAndReadsTheSameOnCpuAndPlan) {
  for (const char* dtype : {"float32", "bfloat16"}) {
    cpu_device cpu;
    plan_device plan("1GB");
    decoder_workload computed(description(dtype));
    decoder_workload planned(description(dtype));
    const series_record series = run(cpu, computed);
    test::expect_same_readings(series, run(plan, planned));
    const generation_shape& dims = computed.dims();
    const auto estimate =
        estimate_quantized_weights(weights_request(dims.model, dims.loading.storage));
    const source_reading& loaded = series.phases[0].readings[0].end;
    EXPECT_EQ(loaded.requested_current, estimate.total);
    EXPECT_GT(estimate.total, estimate.naive);
    const generation_sizes sizes = computed.sizes();
    EXPECT_EQ(loaded[counter_id::allocated_current], sizes.weights);
    EXPECT_GT(*loaded[counter_id::allocated_peak], sizes.weights) << "a copy while it is packed";
    EXPECT_LE(*loaded[counter_id::allocated_peak], sizes.weights + sizes.staging);
    for (const weight_term& each : estimate.terms) {
      EXPECT_THAT(series.settings,
                  Contains(Pair("weights: " + each.name, HasSubstr(each.formula))));
    }
  }
}

TEST_P(PackedGeneration, RefusesAGroupWithoutInputs) {
  workload_description wrong = description("float32");
  wrong.requested.set("group", 0);
  EXPECT_THROW(static_cast<void>(make_workload(wrong)), usage_error);
}

TEST(GenerationFailure, OutOfMemoryInDecodeSaysTheTokenReached) {
  workload_description description = small_generation("growing");
  description.requested.set("decode", 100000);
  description.requested.set("kv_heads", 8);
  description.requested.set("head_dim", 64);
  plan_device plan("200MB");
  decoder_workload work(description);
  const series_record series = run(plan, work);
  const phase_record* failed = series.failed_phase();
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->name, "decode");
  EXPECT_EQ(failed->status, phase_status::failed);
  ASSERT_TRUE(failed->error);
  EXPECT_EQ(failed->error->kind, "out_of_memory");
  EXPECT_EQ(failed->error->what, tag::kv_cache);
  EXPECT_THAT(failed->error->message,
              testing::MatchesRegex("token [0-9]+ of 100000 was not decoded, at a context of up to "
                                    "[0-9]+ tokens: out of memory on plan:200MB: asked .*"));
  // The values at that moment: nearly all of the card, most of it the cache.
  const auto& moment = failed->readings.at(0).end.at_allocated_peak;
  EXPECT_GT((*moment->by_tag)[tag::kv_cache], 100_MB);
  const auto decoded = std::find_if(series.settings.begin(), series.settings.end(),
                                    [](const auto& each) { return each.first == "decoded"; });
  ASSERT_NE(decoded, series.settings.end());
  const std::int64_t tokens = std::stoll(decoded->second);
  EXPECT_GT(tokens, 500);
  EXPECT_THAT(failed->error->message, testing::StartsWith("token " + std::to_string(tokens + 1)));
}

TEST(GenerationFailure, AWorkloadThatFailedMayOutliveItsDevice) {
  workload_description description = small_generation("offloaded");
  description.requested.set("decode", 100000);
  description.requested.set("kv_heads", 8);
  description.requested.set("head_dim", 64);
  auto plan = std::make_unique<plan_device>("60MB");
  decoder_workload work(description);
  const series_record series = run(*plan, work);
  ASSERT_NE(series.failed_phase(), nullptr);
  EXPECT_EQ(series.failed_phase()->name, "decode");
  testing::internal::CaptureStderr();
  plan.reset();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(HasSubstr(" B of weights, "), HasSubstr(" B of kv_cache, ")));
}

TEST(GenerationPresets, ThePlanDeviceRunsThemAtAnySize) {
  for (const auto& [shape, card, cache, fits] : {std::tuple{"8b", "24GB", 1073741824, true},
                                                 {"70b", "141GB", 0, false},
                                                 {"7b", "24GB", 0, true},
                                                 {"1b", "24GB", 0, true}}) {
    SCOPED_TRACE(shape);
    workload_description description;
    description.name = "decoder";
    description.operation = "generate";
    description.revision = "1";
    description.dtype = "bfloat16";
    description.requested = {{"sequences", 1}, {"prompt", 8192 - 8}, {"decode", 8}};
    description.options = {{"shape", shape}, {"cache", "static"}};
    plan_device plan(card);
    decoder_workload work(description);
    const series_record series = run(plan, work, {0, 1});
    EXPECT_EQ(series.failed_phase() == nullptr, fits);
    if (cache > 0) {
      EXPECT_EQ(work.cache_held().value().requested, bytes{cache});
    }
  }
}

}  // namespace
}  // namespace headroom::kernels
