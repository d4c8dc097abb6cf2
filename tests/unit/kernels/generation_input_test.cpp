// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <headroom/core/error.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom_kernels/workloads.hpp>

#include "generation_support.hpp"

namespace headroom::kernels {
namespace {

using test::run;
using test::small_generation;
using testing::HasSubstr;

std::string refusal(const char* cache, const std::function<void(workload_description&)>& change) {
  workload_description description = small_generation(cache);
  change(description);
  try {
    static_cast<void>(make_workload(description));
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(GenerationInput, RefusesWhatItDoesNotKnowAndSaysWhatToWrite) {
  const auto growing = [](const auto& change) { return refusal("growing", change); };
  EXPECT_EQ(growing([](auto&) {}), "(not refused)");
  EXPECT_EQ(growing([](auto& d) { d.operation = "forward"; }),
            "the workload \"decoder\" has no operation \"forward\"; write \"generate\" or "
            "\"train\"");
  EXPECT_EQ(growing([](auto& d) { d.requested.set("batch", 1); }),
            "the workload \"decoder\" has no dimension \"batch\"; to generate it has sequences, "
            "prompt, decode, "
            "capacity, window, block_tokens, blocks, shared_prefix, group, and those of the model");
  EXPECT_EQ(growing([](auto& d) { d.requested.set("window", 0); }),
            "the workload \"decoder\" has window = 0; give 1 or more");
  EXPECT_THAT(
      growing([](auto& d) { d.options.emplace_back("kache", "x"); }),
      HasSubstr("has no option \"kache\"; to generate it has \"shape\", \"tied\", \"cache\""));
  EXPECT_THAT(growing([](auto& d) { d.options[0].second = "fixed"; }),
              HasSubstr("cache is \"fixed\"; write \"growing\", \"static\""));
  EXPECT_THAT(growing([](auto& d) { d.options.emplace_back("attention", "flash"); }),
              HasSubstr("there is no attention \"flash\""));
  EXPECT_THAT(growing([](auto& d) { d.options.emplace_back("shape", "13b"); }),
              HasSubstr("there is no shape \"13b\"; write \"1b\", \"7b\", \"8b\", \"70b\""));
  EXPECT_THAT(growing([](auto& d) {
                d.requested = {{"sequences", 1}};
              }),
              HasSubstr("has no size for \"layers\""));
  EXPECT_THAT(growing([](auto& d) { d.options[1].second = "40, 7"; }),
              HasSubstr("lengths has 2 prompts, the longest of 40 tokens, beside 3 sequences"));
  EXPECT_THAT(growing([](auto& d) { d.options[1].second = "40; 7; 1"; }),
              HasSubstr("write a number of tokens for each sequence"));
  EXPECT_THAT(
      growing([](auto& d) { d.requested.set("capacity", 99); }),
      HasSubstr("the dimension capacity belongs to the cache \"static\", not to \"growing\""));
  EXPECT_THAT(growing([](auto& d) { d.requested.set("kv_heads", 3); }),
              HasSubstr("8 heads and 3 kv_heads"));
  EXPECT_THAT(growing([](auto& d) { d.requested.set("head_dim", 9); }), HasSubstr("even number"));
  EXPECT_THAT(growing([](auto& d) { d.requested.set("decode", std::int64_t{1} << 62); }),
              HasSubstr("do"));
  EXPECT_THAT(refusal("paged", [](auto& d) { d.requested.set("blocks", 4); }),
              HasSubstr("the sequences need 5 blocks of 16 tokens and the pool has 4"));
}

TEST(GenerationInput, NamesTheTermThatOverflows) {
  EXPECT_THAT(refusal("growing",
                      [](auto& d) {
                        d.requested.set("decode", std::int64_t{1} << 50);
                        d.requested.set("layers", std::int64_t{1} << 30);
                      }),
              HasSubstr("the term \"keys and values\" of the cache, 2 x layers 1073741824"));
}

TEST(GenerationInput, APromptAboveTheStaticCapacityIsRefusedOrCutAndRecorded) {
  const auto beyond = [](workload_description& d) { d.requested.set("capacity", 45); };
  EXPECT_EQ(refusal("static", beyond),
            "a prompt of 40 tokens and 6 decoded ones do not fit the static capacity of 45; give a "
            "capacity of 46, or write \"over_capacity\": \"truncate\", which is recorded");
  workload_description cut = small_generation("static");
  beyond(cut);
  cut.options.emplace_back("over_capacity", "truncate");
  plan_device plan("1GB");
  decoder_workload work(cut);
  EXPECT_EQ(work.executed().at("prompt"), 39);
  EXPECT_EQ(work.description().requested.at("prompt"), 40);
  const series_record series = run(plan, work);
  EXPECT_EQ(series.failed_phase(), nullptr);
  EXPECT_FALSE(series.executed == series.workload.requested);
  EXPECT_THAT(refusal("static",
                      [](auto& d) {
                        d.requested.set("capacity", 6);
                        d.options.emplace_back("over_capacity", "truncate");
                      }),
              HasSubstr("decode fewer tokens than it"));
}

}  // namespace
}  // namespace headroom::kernels
