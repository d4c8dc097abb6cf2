// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <headroom/device/allocator_choice.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headroom {
namespace {

TEST(Buffer, IsCountedUnderItsTagUntilItGoes) {
  plan_device on("1GB");
  const buffer_account& account = *on.buffers();
  buffer weights(on, 3_MiB, tag::weights);
  buffer moved = std::move(weights);
  buffer other(on, bytes{100}, tag::inputs);
  EXPECT_EQ(account.by_tag()[tag::weights], 3_MiB);
  EXPECT_EQ(account.by_tag()[tag::inputs], bytes{512});
  other = std::move(moved);
  EXPECT_EQ(account.by_tag()[tag::inputs], bytes{});
  EXPECT_EQ(account.by_tag().total(), 3_MiB);
  const buffer nothing(on, bytes{}, tag::other);
  other.reset();
  other.reset();
  EXPECT_EQ(account.by_tag(), tag_table{});
  EXPECT_EQ(on.counters().read()[counter_id::allocated_current], bytes{});
}

class BufferOutliving : public testing::TestWithParam<const char*> {
 protected:
  static std::unique_ptr<device> make() {
    const std::string which = GetParam();
    const std::string allocator = which.substr(which.find(' ') + 1);
    if (which.starts_with("cpu")) {
      return std::make_unique<cpu_device>(parse_allocator_choice(allocator), 1_GiB);
    }
    return std::make_unique<plan_device>("1GiB", parse_allocator_choice(allocator));
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, BufferOutliving,
                         testing::Values("cpu caching", "cpu plain", "plan caching", "plan plain"),
                         [](const auto& each) {
                           std::string name = each.param;
                           name.replace(name.find(' '), 1, "_");
                           return name;
                         });

TEST_P(BufferOutliving, EndsWithoutItsDeviceWhichNamedTagAndBytes) {
  std::unique_ptr<device> on = make();
  std::vector<buffer> held;
  for (const tag each : {tag::kv_cache, tag::weights, tag::kv_cache}) {
    held.emplace_back(*on, 1_MiB, each);
  }
  held.emplace_back(*on, 1_MiB, tag::inputs).reset();
  testing::internal::CaptureStderr();
  on.reset();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "headroom: a device ends before what holds its memory: 1048576 B of weights, 2097152 B "
            "of kv_cache; that memory goes with the device. End workloads, tensors and buffers "
            "before it\n");
  const std::unique_ptr<device> next = make();  // may have the place of the first
  held[0] = buffer(*next, 1_MiB, tag::other);
  held.clear();
  EXPECT_EQ(next->counters().read()[counter_id::allocated_current], bytes{});
}

TEST_P(BufferOutliving, ADeviceThatEndsLastSaysNothing) {
  std::unique_ptr<device> on = make();
  { const buffer held(*on, 1_MiB, tag::weights); }
  testing::internal::CaptureStderr();
  on.reset();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace headroom
