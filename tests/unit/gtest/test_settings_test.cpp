// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <cstdlib>
#include <headroom/core/error.hpp>
#include <map>
#include <string>

#include "test_settings.hpp"

namespace headroom {
namespace {

class TestSettings : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name :
         {"HEADROOM_DEVICE", "HEADROOM_PINNED_DEVICE", "HEADROOM_REQUIRE", "HEADROOM_ARTIFACT_DIR",
          "HEADROOM_DEFAULT_ARTIFACT_DIR", "HEADROOM_BUDGET", "HEADROOM_CTEST",
          "HEADROOM_ALLOCATOR", "HEADROOM_REHEARSE", "CTEST_RESOURCE_GROUP_0_VRAM_MIB",
          "CTEST_RESOURCE_GROUP_1_VRAM_MIB"}) {
      unsetenv(name);
    }
  }
  static void set(const char* name, const char* value) { setenv(name, value, 1); }
};

TEST_F(TestSettings, DefaultsToTheBestDeviceAndALocalFolder) {
  const test_settings settings = read_test_settings();
  EXPECT_TRUE(settings.device.automatic);
  EXPECT_FALSE(settings.cuda_required);
  EXPECT_EQ(settings.artifact_folder, "headroom-artifacts");
  EXPECT_EQ(decide(settings).answer, device_answer::run);
}

TEST_F(TestSettings, TheCallersFolderGoesBeforeTheRegisteredOne) {
  set("HEADROOM_DEFAULT_ARTIFACT_DIR", "registered");
  EXPECT_EQ(read_test_settings().artifact_folder, "registered");
  set("HEADROOM_ARTIFACT_DIR", "asked");
  EXPECT_EQ(read_test_settings().artifact_folder, "asked");
}

TEST_F(TestSettings, APinnedDeviceGoesBeforeTheCallers) {
  set("HEADROOM_DEVICE", "cpu");
  set("HEADROOM_PINNED_DEVICE", "plan:24GB");
  EXPECT_EQ(read_test_settings().device.text, "plan:24GB");
}

TEST_F(TestSettings, TheScheduledGpuIsTheOneThatRuns) {
  set("CTEST_RESOURCE_GROUP_0_VRAM_MIB", "id:cuda_2,slots:64");
  EXPECT_EQ(read_test_settings().device.text, "cuda:2");
  set("HEADROOM_DEVICE", "cpu");
  EXPECT_EQ(read_test_settings().device.text, "cpu");
}

TEST_F(TestSettings, AScheduledGroupIsADevice) {
  set("CTEST_RESOURCE_GROUP_0_VRAM_MIB", "id:cuda_2,slots:64");
  set("CTEST_RESOURCE_GROUP_1_VRAM_MIB", "id:cuda_0,slots:64");
  EXPECT_EQ(read_test_settings().device.text, "cuda:2,cuda:0");
  EXPECT_EQ(read_test_settings().device.count(), 2);
  set("CTEST_RESOURCE_GROUP_1_VRAM_MIB", "id:0,slots:64");
  EXPECT_THROW(static_cast<void>(read_test_settings()), usage_error);
}

TEST_F(TestSettings, TheAllocatorAndARehearsalAreTheCallers) {
  EXPECT_EQ(read_test_settings().allocator, std::nullopt);
  EXPECT_TRUE(read_test_settings().rehearsed.empty());
  set("HEADROOM_ALLOCATOR", "plain");
  set("HEADROOM_REHEARSE", "segment:2+");
  ASSERT_TRUE(read_test_settings().allocator);
  EXPECT_EQ(read_test_settings().allocator->kind, allocator_kind::plain);
  EXPECT_EQ(read_test_settings().rehearsed.text(), "segment:2+");
}

TEST_F(TestSettings, WrongValuesNameTheVariable) {
  const auto message = [] {
    try {
      (void)read_test_settings();
    } catch (const usage_error& wrong) {
      return std::string(wrong.what());
    }
    return std::string("accepted");
  };
  set("HEADROOM_REQUIRE", "gpu");
  EXPECT_THAT(message(), testing::HasSubstr("HEADROOM_REQUIRE is \"gpu\"; write cuda"));
  set("HEADROOM_DEVICE", "gpu");
  EXPECT_THAT(message(), testing::StartsWith("HEADROOM_DEVICE: device \"gpu\""));
  set("HEADROOM_DEVICE", "auto");
  set("CTEST_RESOURCE_GROUP_0_VRAM_MIB", "id:0,slots:64");
  EXPECT_THAT(message(), testing::HasSubstr("cuda_N"));
  unsetenv("CTEST_RESOURCE_GROUP_0_VRAM_MIB");
  unsetenv("HEADROOM_REQUIRE");
  set("HEADROOM_ALLOCATOR", "pool");
  EXPECT_THAT(message(), testing::StartsWith("HEADROOM_ALLOCATOR: allocator \"pool\""));
  unsetenv("HEADROOM_ALLOCATOR");
  set("HEADROOM_REHEARSE", "kernel:1");
  EXPECT_THAT(message(), testing::StartsWith("HEADROOM_REHEARSE: rehearsal \"kernel:1\""));
}

TEST_F(TestSettings, AMissingGpuIsASkipUnlessOneIsRequired) {
  set("HEADROOM_DEVICE", "cuda:4000");
  EXPECT_EQ(decide(read_test_settings()).answer, device_answer::skip);
  set("HEADROOM_REQUIRE", "cuda");
  EXPECT_EQ(decide(read_test_settings()).answer, device_answer::fail);
}

TEST_F(TestSettings, RequiringAGpuRefusesAPredictionUnlessTheTestIsOneByDesign) {
  set("HEADROOM_REQUIRE", "cuda");
  set("HEADROOM_DEVICE", "cpu");
  EXPECT_EQ(decide(read_test_settings()).answer, device_answer::fail);
  set("HEADROOM_PINNED_DEVICE", "plan:24GB");
  EXPECT_EQ(decide(read_test_settings()).answer, device_answer::run);
}

}  // namespace
}  // namespace headroom
