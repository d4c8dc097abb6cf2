// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// The exact figures that the design names, in text and JSON, and what the options refuse.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "run_headroom.hpp"
#include "support/golden.hpp"

namespace headroom::cli {
namespace {

using test::expect_golden;
using testing::HasSubstr;
using json = nlohmann::json;

ended estimate(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "estimate");
  return run_headroom(arguments);
}

json estimate_json(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const ended got = estimate(std::move(arguments));
  EXPECT_EQ(got.err, "");
  return json::parse(got.out);
}

TEST(Estimate, SevenBillionParametersAtSixteenBits) {
  const json got = estimate_json({"--parameters", "7000000000", "--bits", "16"});
  EXPECT_EQ(got["sum"]["size_bytes"], 14'000'000'000);
  EXPECT_EQ(got["sum"]["gb"], "14.00");
  EXPECT_EQ(got["sum"]["gib"], "13.04");
  EXPECT_EQ(got["capacity"], nullptr);
  const ended text = estimate({"--parameters", "7000000000", "--bits", "16"});
  EXPECT_EQ(text.code, exit_code::done);
  expect_golden("cli/estimate_weights.txt", text.out);
}

struct envelope_case {
  const char* bits;
  const char* reserve_gib;
  const char* weights;
  const char* envelope;
};

class Envelope : public ::testing::TestWithParam<envelope_case> {};

TEST_P(Envelope, IsTheDesignsToTheDigit) {
  const envelope_case& each = GetParam();
  const std::vector<std::string> weights{"--parameters", "7000000000", "--bits", each.bits};
  std::vector<std::string> with_gib = weights;
  with_gib.insert(with_gib.end(), {"--reserve-gib", each.reserve_gib});
  std::vector<std::string> with_size = weights;
  with_size.insert(with_size.end(), {"--reserve", std::string(each.reserve_gib) + " GiB"});
  const json got = estimate_json(with_gib);
  EXPECT_EQ(got["terms"][0]["gib"], each.weights);
  EXPECT_EQ(got["envelope"]["gib"], each.envelope);
  EXPECT_EQ(got["envelope"]["basis"], "assumed");
  EXPECT_EQ(got, estimate_json(with_size));
  EXPECT_THAT(estimate(with_gib).out, HasSubstr(each.envelope));
}

INSTANTIATE_TEST_SUITE_P(OfTheDesign, Envelope,
                         ::testing::Values(envelope_case{"16", "4", "13.04", "17.04"},
                                           envelope_case{"16", "6", "13.04", "19.04"},
                                           envelope_case{"8", "6", "6.52", "12.52"},
                                           envelope_case{"4", "6", "3.26", "9.26"}));

TEST(Estimate, CapacitiesAreTheDesigns) {
  const std::vector<std::string> small{"--parameters", "8", "--bits", "8", "--capacity"};
  std::vector<std::string> of_24 = small;
  of_24.push_back("24GB");
  std::vector<std::string> of_48 = small;
  of_48.push_back("48 GB");
  EXPECT_EQ(estimate_json(of_24)["capacity"]["gib"], "22.35");
  EXPECT_EQ(estimate_json(of_48)["capacity"]["gib"], "44.70");
}

TEST(Estimate, ACapacityFitsOnlyWithAReserve) {
  const std::vector<std::string> weights{"--parameters", "7000000000", "--bits", "16"};
  const auto with = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> all = weights;
    all.insert(all.end(), more);
    return estimate(all);
  };
  const ended fits = with({"--reserve", "4 GiB", "--capacity", "24GB"});
  EXPECT_EQ(fits.code, exit_code::done);
  expect_golden("cli/estimate_fits.txt", fits.out);
  const ended unknown = with({"--capacity", "24GB"});
  EXPECT_EQ(unknown.code, exit_code::unknown);
  expect_golden("cli/estimate_cannot_be_told.txt", unknown.out);
  const ended reserve = with({"--reserve", "activations=10GiB", "--capacity", "24GB"});
  EXPECT_EQ(reserve.code, exit_code::exceeded);
  expect_golden("cli/estimate_does_not_fit.txt", reserve.out);
  const ended alone = with({"--capacity", "12GB"});
  EXPECT_EQ(alone.code, exit_code::exceeded);
  EXPECT_THAT(alone.out, HasSubstr("what is computed alone is more"));
}

TEST(Estimate, ACapacityIsInclusive) {
  EXPECT_EQ(
      estimate({"--parameters", "100", "--bits", "8", "--reserve", "10B", "--capacity", "110B"})
          .code,
      exit_code::done);
  EXPECT_EQ(
      estimate({"--parameters", "100", "--bits", "8", "--reserve", "11B", "--capacity", "110B"})
          .code,
      exit_code::exceeded);
}

TEST(Estimate, GroupsHaveBitsOfTheirOwn) {
  const json got =
      estimate_json({"--group", "attention=2000000000@16", "--group", "mlp=5000000001@4"});
  EXPECT_EQ(got["terms"][0]["size_bytes"], 4'000'000'000);
  EXPECT_EQ(got["terms"][1]["size_bytes"], 2'500'000'001);  // rounded up to a byte
  EXPECT_EQ(got["sum"]["size_bytes"], 6'500'000'001);
}

TEST(Estimate, GroupsThatShareAScaleListItTermByTerm) {
  const std::vector<std::string> all{"--group", "kept=1000000@16", "--group", "mlp=1281@4/128"};
  const json got = estimate_json(all);
  ASSERT_EQ(got["terms"].size(), 4U);
  EXPECT_EQ(got["terms"][1]["size_bytes"], 641);
  EXPECT_EQ(got["terms"][2]["name"], "mlp scales");
  EXPECT_EQ(got["terms"][2]["size_bytes"], 22);  // of eleven groups, the last with one weight
  EXPECT_EQ(got["terms"][3]["name"], "mlp zero points");
  EXPECT_EQ(got["terms"][3]["size_bytes"], 11);
  EXPECT_EQ(got["sum"]["size_bytes"], 2'000'674);
  EXPECT_THAT(got["left_out"], Not(Contains(HasSubstr("scales"))));
  expect_golden("cli/estimate_scales.txt", estimate(all).out);

  // As long as others in few bits have none, they are left out.
  EXPECT_THAT(estimate_json({"--group", "a=100@8", "--group", "b=100@4/10"})["left_out"],
              Contains(HasSubstr("scales")));
}

TEST(Estimate, KvCacheIsTheDesigns) {
  const std::vector<std::string> one{"kv-cache", "--layers",   "32",  "--kv-heads",
                                     "8",        "--head-dim", "128", "--tokens",
                                     "8192",     "--bytes",    "2"};
  EXPECT_EQ(estimate_json(one)["sum"]["size_bytes"], 1'073'741'824);
  std::vector<std::string> four = one;
  four.insert(four.end(), {"--sequences", "4"});
  EXPECT_EQ(estimate_json(four)["sum"]["gib"], "4.00");
  expect_golden("cli/estimate_kv_cache.txt", estimate(four).out);
  std::vector<std::string> window = one;
  window.insert(window.end(), {"--window", "4096"});
  EXPECT_EQ(estimate_json(window)["sum"]["size_bytes"], 536'870'912);
  std::vector<std::string> wide = one;
  wide.insert(wide.end(), {"--window", "100000"});
  EXPECT_EQ(estimate_json(wide)["sum"]["size_bytes"], 1'073'741'824);
}

TEST(Estimate, KvCacheByEachStrategy) {
  const auto sum = [](std::vector<std::string> more) {
    std::vector<std::string> all{"kv-cache", "--layers", "32",   "--kv-heads", "8", "--head-dim",
                                 "128",      "--tokens", "8192", "--bytes",    "2", "--strategy"};
    all.insert(all.end(), more.begin(), more.end());
    return estimate_json(all)["sum"]["size_bytes"].get<std::int64_t>();
  };
  constexpr std::int64_t gib = std::int64_t{1} << 30;
  EXPECT_EQ(sum({"growing"}), gib);
  EXPECT_EQ(sum({"static", "--static-tokens", "16384"}), 2 * gib);
  EXPECT_EQ(sum({"sliding_window", "--window", "1024"}), gib / 8);
  EXPECT_EQ(sum({"quantized"}), gib / 2 + 32 * 2 * 8192 * 8 * 4);
  EXPECT_EQ(sum({"offloaded"}), gib / 32);
  EXPECT_EQ(sum({"paged", "--block-tokens", "16", "--blocks", "1024"}), 2 * gib + 512 * 4);
}

TEST(Estimate, TrainingNamesEachCopy) {
  const ended adamw =
      estimate({"training", "--parameters", "7000000000", "--bits", "16", "--optimizer", "adamw"});
  EXPECT_EQ(adamw.code, exit_code::done);
  expect_golden("cli/estimate_training.txt", adamw.out);
  const auto sum = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"training", "--parameters", "1000"});
    return estimate_json(more)["sum"]["size_bytes"].get<int>();
  };
  EXPECT_EQ(sum({"--bits", "32", "--optimizer", "adamw"}), 4000 + 4000 + 8000);
  EXPECT_EQ(sum({"--bits", "32", "--optimizer", "momentum"}), 4000 + 4000 + 4000);
  EXPECT_EQ(sum({"--bits", "32", "--optimizer", "sgd"}), 4000 + 4000);
  EXPECT_EQ(sum({"--bits", "16", "--optimizer", "adamw"}), 2000 + 2000 + 8000 + 4000);
  EXPECT_EQ(sum({"--bits", "16", "--optimizer", "adamw", "--gradient-bits", "32", "--state-bits",
                 "8", "--master-bits", "0"}),
            2000 + 4000 + 2000);
  EXPECT_EQ(sum({"--bits", "4", "--optimizer", "adamw", "--trained", "10", "--gradient-bits", "16",
                 "--master-bits", "0"}),
            500 + 20 + 80);
}

TEST(EstimateOptions, EveryWrongOneSaysWhatToWrite) {
  std::string all;
  for (const char* const wrong : {"nan", "inf", "-inf", "-7", "+7", "7e9", "7.5", "0", "7 ", " 7",
                                  "7B", "0x10", "", "9223372036854775808", "1e400", "\x1b[2J"}) {
    all += refusal("estimate", {"--parameters", wrong, "--bits", "16"});
  }
  for (const char* const wrong : {"nan", "-1", "0", "16.0", "1025", "99999999999999999999"}) {
    all += refusal("estimate", {"--parameters", "7", "--bits", wrong});
  }
  for (const char* const wrong : {"nan", "inf GiB", "-4 GiB", "4", "4 gib", "4 GiB.", "1e3 GiB",
                                  "9999999999 TiB", "a=4", "=4GiB"}) {
    all += refusal("estimate", {"--parameters", "7", "--bits", "8", "--reserve", wrong});
  }
  for (const char* const wrong : {"nan", "-4", "4 GiB", "1e2", "inf"}) {
    all += refusal("estimate", {"--parameters", "7", "--bits", "8", "--reserve-gib", wrong});
  }
  for (const char* const wrong : {"24", "24G", "24 Gb", "nan", "-24GB", "0GB"}) {
    all += refusal("estimate", {"--parameters", "7", "--bits", "8", "--capacity", wrong});
  }
  for (const char* const wrong : {"experts", "experts=6@", "=6@4", "experts=6", "x=6@4@8", "x=-6@4",
                                  "x=6@4/", "x=6@4/0", "x=6@/4", "x=6@4/8/2"}) {
    all += refusal("estimate", {"--group", wrong});
  }
  all += refusal("estimate", {});
  all += refusal("estimate", {"--parameters", "7"});
  all += refusal("estimate", {"--bits", "7"});
  all += refusal("estimate", {"--parameter", "7"});
  all += refusal("estimate", {"--parameters", "9223372036854775807", "--bits", "16"});
  all += refusal("estimate",
                 {"--parameters", "7", "--bits", "8", "--reserve", "1GB", "--reserve-gib", "2"});
  all += refusal("estimate", {"kvcache"});
  all += refusal("estimate", {"kv-cache", "--layers", "32"});
  all += refusal("estimate", {"kv-cache", "--layers", "4294967296", "--kv-heads", "4294967296",
                              "--head-dim", "1", "--tokens", "1", "--bytes", "1"});
  const std::vector<std::string> cache{"kv-cache", "--layers",   "2", "--kv-heads",
                                       "1",        "--head-dim", "8", "--tokens",
                                       "9",        "--bytes",    "2", "--strategy"};
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"dynamic"},
        {"static"},
        {"static", "--static-tokens", "8"},
        {"sliding_window"},
        {"growing", "--window", "4"},
        {"paged", "--blocks", "nan"},
        {"paged", "--blocks", "0"},
        {"paged", "--block-tokens", "4", "--blocks", "2"}}) {
    std::vector<std::string> all_of_it = cache;
    all_of_it.insert(all_of_it.end(), wrong.begin(), wrong.end());
    all += refusal("estimate", all_of_it);
  }
  all += refusal("estimate", {"training", "--parameters", "7", "--bits", "16"});
  all +=
      refusal("estimate", {"training", "--parameters", "7", "--bits", "16", "--optimizer", "adam"});
  all += refusal("estimate", {"training", "--parameters", "7", "--bits", "16", "--optimizer", "sgd",
                              "--trained", "8"});
  expect_golden("cli/estimate_wrong_options.txt", all);
}

}  // namespace
}  // namespace headroom::cli
