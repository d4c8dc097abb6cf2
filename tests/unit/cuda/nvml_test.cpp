// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "cuda/nvml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "cuda/process_view.hpp"

namespace headroom::cuda {
namespace {

using testing::HasSubstr;

class Nvml : public testing::Test {
 protected:
  void SetUp() override { unsetenv("FAKE_NVML"); }
  void TearDown() override { unsetenv("FAKE_NVML"); }
  static void say(const char* what) { setenv("FAKE_NVML", what, 1); }
  /// Of the device in the fake library; this process as on a machine that is no container.
  static system_reading read(const char* library = HEADROOM_FAKE_NVML) {
    const nvml loaded(library);
    return loaded.read(loaded.uuid_of("0102").value_or("GPU-0102"), {this_process().pid, ""});
  }
  static void expect_reason(const char* words) {
    EXPECT_EQ(read().process, std::nullopt);
    EXPECT_THAT(read().process_reason, HasSubstr(words));
  }
};

TEST_F(Nvml, IsAbsentWithItsReasonWhereItIsNotThere) {
  const nvml missing("libno-such-nvml.so.1");
  EXPECT_THAT(missing.missing(), HasSubstr("NVML is not there: libno-such-nvml.so.1"));
  EXPECT_EQ(missing.version(), std::nullopt);
  EXPECT_EQ(missing.uuid_of("0102"), std::nullopt);
  const system_reading nothing = missing.read("GPU-0102", {});
  EXPECT_FALSE(nothing.free || nothing.total || nothing.process || nothing.reserved);
  EXPECT_EQ(nothing.process_reason, missing.missing());
}

TEST_F(Nvml, IsAbsentWhereItDoesNotStart) {
  say("no-driver");
  const nvml stopped(HEADROOM_FAKE_NVML);
  EXPECT_EQ(stopped.missing(), "NVML does not start: Driver Not Loaded (NVML error 9)");
  EXPECT_EQ(stopped.version(), std::nullopt);
}

TEST_F(Nvml, ALibraryThatIsNoneIsAbsent) {
  const nvml other("libm.so.6");
  EXPECT_THAT(other.missing(), HasSubstr("has not the calls of NVML"));
}

TEST_F(Nvml, ReadsTheDeviceWithItsReservedPart) {
  const system_reading now = read();
  EXPECT_EQ(now.total, bytes{1000});
  EXPECT_EQ(now.free, bytes{650});
  EXPECT_EQ(now.reserved, bytes{40});
}

TEST_F(Nvml, NamesWhatItWasAskedWith) {
  EXPECT_EQ(nvml(HEADROOM_FAKE_NVML).version(), "13.580.82, memory query 2, process query 3");
  EXPECT_EQ(nvml(HEADROOM_FAKE_NVML_OLD).version(),
            "13.580.82, memory query 1, process query none");
}

TEST_F(Nvml, AnOlderLibraryHasNoReservedPart) {
  const system_reading now = read(HEADROOM_FAKE_NVML_OLD);
  EXPECT_EQ(now.total, bytes{1000});
  EXPECT_EQ(now.free, bytes{700});
  EXPECT_EQ(now.reserved, std::nullopt);
  EXPECT_EQ(now.process_reason, "this NVML does not list processes");
  say("memory-1-only");
  EXPECT_EQ(read().free, bytes{700}) << "the newer query is there and refuses";
}

TEST_F(Nvml, FindsThisProcessAmongTheOthers) {
  for (const char* how_many : {"", "crowd"}) {
    say(how_many);
    EXPECT_EQ(read().process, bytes{222}) << how_many;
    EXPECT_EQ(read().process_reason, "");
  }
}

TEST_F(Nvml, TrustsNoNumberOfAContainersProcess) {
  const system_reading now = nvml(HEADROOM_FAKE_NVML).read("GPU-0102", {this_process().pid, "why"});
  EXPECT_EQ(now.total, bytes{1000});
  EXPECT_EQ(now.process, std::nullopt);
  EXPECT_EQ(now.process_reason, "why");
}

TEST_F(Nvml, SaysWhyItHasNoBytesOfThisProcess) {
  say("not-listed");
  expect_reason("NVML lists 2 processes of the device, and not this one");
  say("no-bytes");
  expect_reason("NVML gives no bytes of processes here");
  say("no-permission");
  expect_reason("no permission to list");
  say("not-supported");
  expect_reason("NVML does not list processes: Other (NVML error 3)");
  say("mig no-bytes");
  expect_reason("MIG");
}

TEST_F(Nvml, KnowsAWholeDeviceFromAPartOfOne) {
  EXPECT_EQ(nvml(HEADROOM_FAKE_NVML).uuid_of("0102"), "GPU-0102");
  EXPECT_EQ(nvml(HEADROOM_FAKE_NVML).uuid_of("0103"), std::nullopt);
  say("mig");
  EXPECT_EQ(nvml(HEADROOM_FAKE_NVML).uuid_of("0102"), "MIG-0102");
}

TEST_F(Nvml, ADeviceThatIsNotThereIsNotRead) {
  const system_reading nothing = nvml(HEADROOM_FAKE_NVML).read("GPU-9999", {});
  EXPECT_EQ(nothing.free, std::nullopt);
  EXPECT_THAT(nothing.process_reason, HasSubstr("NVML does not find GPU-9999: Not Found"));
}

TEST(ProcessView, TellsContainersAndWslFromTheHost) {
  EXPECT_EQ(why_pids_differ("pid:[4026531836]", "Linux version 6.1.0"), "");
  EXPECT_THAT(why_pids_differ("pid:[4026532301]", "Linux version 6.1.0"), HasSubstr("a container"));
  EXPECT_THAT(why_pids_differ("pid:[4026531836]", "Linux version 5.15-microsoft-standard-WSL2"),
              HasSubstr("WSL"));
  EXPECT_NE(why_pids_differ("", "Linux version 6.1.0"), "");
}

}  // namespace
}  // namespace headroom::cuda
