// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/series/open_device.hpp>
#include <string>

#include <gmock/gmock.h>

#include <headroom/core/error.hpp>

namespace headroom {
namespace {

std::string refusal_of(std::string_view text) {
  try {
    (void)parse_device_request(text);
  } catch (const usage_error& wrong) {
    return wrong.what();
  }
  return "accepted";
}

TEST(DeviceRequest, ReadsEachForm) {
  EXPECT_TRUE(parse_device_request("auto").automatic);
  EXPECT_EQ(parse_device_request("cpu").kind, device_kind::cpu);
  EXPECT_EQ(parse_device_request("cuda:3").kind, device_kind::cuda);
  EXPECT_EQ(parse_device_request("cuda:3").index, 3);
  EXPECT_EQ(parse_device_request("plan:24GB").kind, device_kind::plan);
  EXPECT_EQ(parse_device_request("plan:24GB").capacity, 24_GB);
}

TEST(DeviceRequest, RefusesTheRestWithTheFormsThereAre) {
  for (const char* text :
       {"", "gpu", "CPU", "cuda", "cuda:", "cuda:-1", "cuda:0x", "cuda: 0", "cuda:99999999999",
        "plan", "plan:", "plan:24", "plan:24G", "plan:0GB", "plan:-1GB"}) {
    EXPECT_THAT(refusal_of(text), testing::HasSubstr("plan:SIZE")) << text;
    EXPECT_THAT(refusal_of(text), testing::StartsWith("device \"" + std::string(text) + "\""));
  }
}

TEST(DeviceRequest, ReadsTheNamesOfCardsAndOfTheirParts) {
  for (const char* uuid : {"GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", "GPU-8932f937", "MIG-4"}) {
    const device_request request = parse_device_request(std::string("cuda:") + uuid);
    EXPECT_EQ(request.kind, device_kind::cuda);
    EXPECT_EQ(request.uuid, uuid);
    EXPECT_FALSE(find_device(request).available);
    EXPECT_THAT(find_device(request).reason,
                testing::StartsWith(std::string("cuda:") + uuid + " is not there: "));
    EXPECT_THROW((void)open_device(request), device_error);
  }
  for (const char* text : {"cuda:GPU-", "cuda:MIG-", "cuda:gpu-8932f937", "GPU-8932f937"}) {
    EXPECT_THROW((void)parse_device_request(text), usage_error) << text;
  }
}

TEST(OpenDevice, OpensWhatWasAskedFor) {
  EXPECT_EQ(open_device(parse_device_request("cpu"))->info().id, "cpu");
  const device_request automatic = parse_device_request("auto");
  if (!find_device(parse_device_request("cuda:0")).available) {
    EXPECT_EQ(open_device(automatic)->info().id, "cpu");
    EXPECT_EQ(ids_of(open_devices(request_for(automatic, 2), {})), "cpu#0,cpu#1");
  }
  const auto plan = open_device(parse_device_request("plan:24GB"));
  EXPECT_EQ(plan->info().id, "plan:24GB");
  EXPECT_EQ(plan->info().capacity, 24_GB);
  EXPECT_TRUE(plan->info().prediction());
}

TEST(OpenDevice, ADeviceThatIsNotThereSaysWhy) {
  const device_request request = parse_device_request("cuda:4000");
  EXPECT_FALSE(find_device(request).available);
  EXPECT_THAT(find_device(request).reason, testing::StartsWith("cuda:4000 is not there: "));
  EXPECT_THROW((void)open_device(request), device_error);
}

TEST(OpenDevice, SettingsReachTheAllocator) {
  const auto device = open_device(parse_device_request("plan:1GB"),
                                  parse_allocator_settings("max_split_size_mb:64"));
  EXPECT_THAT(device->allocator().describe().settings,
              testing::Contains(testing::Pair("max_split_size_mb", "64")));
}

}  // namespace
}  // namespace headroom
