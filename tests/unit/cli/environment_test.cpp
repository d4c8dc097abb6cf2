// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "run_headroom.hpp"
#include "support/golden.hpp"

namespace headroom::cli {
namespace {

using testing::HasSubstr;
using json = nlohmann::json;

TEST(Environment, NamesEverythingAndFitsEightyColumns) {
  const ended got = run_headroom({"environment"});
  EXPECT_EQ(got.code, exit_code::done);
  EXPECT_EQ(got.err, "");
  for (const char* const part :
       {"system", "processor", "compiler", "CUDA Toolkit", "CUDA driver", "NVML", "BLAS",
        "a matrix library", "allocator", "\ndevices\n", "cuda:0", "cpu", "plan:SIZE"}) {
    EXPECT_THAT(got.out, HasSubstr(part));
  }
  EXPECT_LE(test::longest_line(got.out), 80U);
}

TEST(Environment, SaysWhatEachDeviceCountsAs) {
  const json got = json::parse(run_headroom({"environment", "--json"}).out);
  EXPECT_EQ(got["schema"], "headroom-environment/1");
  EXPECT_EQ(got["libraries"]["BLAS"], "a matrix library");
  const json& cpu = got["devices"].back();
  EXPECT_EQ(cpu["id"], "cpu");
  EXPECT_EQ(cpu["available"], true);
  EXPECT_EQ(cpu["counts_as"], "prediction");
  EXPECT_GT(cpu["capacity_bytes"], 0);
  EXPECT_EQ(got["devices"][0]["id"], "cuda:0");
}

TEST(Environment, ADeviceThatIsNotThereIsExitTwo) {
  const ended got = run_headroom({"environment", "--device", "cuda:4000"});
  EXPECT_EQ(got.code, exit_code::no_device);
  EXPECT_EQ(got.out, "");
  EXPECT_THAT(got.err, HasSubstr("cuda:4000 is not there"));
}

TEST(Environment, OneDeviceIsLookedAtAlone) {
  const json got =
      json::parse(run_headroom({"environment", "--device", "plan:24GB", "--json"}).out);
  ASSERT_EQ(got["devices"].size(), 1U);
  EXPECT_EQ(got["devices"][0]["id"], "plan:24GB");
  EXPECT_EQ(got["devices"][0]["counts_as"], "prediction");
}

TEST(Environment, AWrongDeviceIsRefused) {
  const ended got = run_headroom({"environment", "--device", "gpu"});
  EXPECT_EQ(got.code, exit_code::invalid_input);
  EXPECT_THAT(got.err, HasSubstr("--device: device \"gpu\": no such device; write auto"));
}

}  // namespace
}  // namespace headroom::cli
