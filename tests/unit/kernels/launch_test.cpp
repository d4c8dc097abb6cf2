// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom_kernels/launch.hpp>
#include <vector>

namespace headroom::kernels {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct count_visit {
  int* visits;
  HEADROOM_HOST_DEVICE void operator()(std::int64_t i) const { ++visits[i]; }
};

// Each row is summed by its team, and each thread writes its share of the result.
struct spread_of_row {
  const float* x;  // [rows, width]
  float* y;        // [rows, width]: x less the mean of its row
  float* most;     // [rows]
  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    float sum = 0.0F;
    float largest = x[row * width];
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      sum += x[row * width + i];
      largest = x[row * width + i] > largest ? x[row * width + i] : largest;
    }
    const float mean = together.sum(sum) / static_cast<float>(width);
    most[row] = together.max(largest);
    together.barrier();
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      y[row * width + i] = x[row * width + i] - mean;
    }
  }
};

TEST(LaunchElements, VisitsEachElementOnce) {
  cpu_device cpu;
  std::vector<int> visits(1000, 0);
  launch_elements(cpu, {}, 999, count_visit{visits.data()});
  EXPECT_EQ(visits, [] {
    std::vector<int> expected(999, 1);
    expected.push_back(0);
    return expected;
  }());
}

TEST(LaunchElements, ZeroElementsRunNothing) {
  cpu_device cpu;
  launch_elements(cpu, {}, 0, count_visit{nullptr});
  launch_rows(cpu, {}, 0, 4, spread_of_row{nullptr, nullptr, nullptr});
}

TEST(LaunchRows, GivesEachRowItsOwnReductions) {
  cpu_device cpu;
  const std::vector<float> x{1, 2, 3, -6, 0, 12};
  std::vector<float> y(6);
  std::vector<float> most(2);
  launch_rows(cpu, {}, 2, 3, spread_of_row{x.data(), y.data(), most.data()});
  EXPECT_THAT(y, ElementsAre(-1, 0, 1, -8, -2, 10));
  EXPECT_THAT(most, ElementsAre(3, 12));
}

TEST(Launch, IsLeftOutWhereTheDeviceDoesNotCompute) {
  plan_device plan(bytes{1 << 30});
  std::vector<int> visits(4, 0);
  launch_elements(plan, {}, 4, count_visit{visits.data()});
  launch_rows(plan, {}, 2, 2, spread_of_row{nullptr, nullptr, nullptr});
  EXPECT_THAT(visits, ElementsAre(0, 0, 0, 0));
}

/// A cpu device that claims to be a GPU.
class claimed_cuda_device final : public device {
 public:
  claimed_cuda_device() {
    info_.id = "cuda:7";
    info_.kind = device_kind::cuda;
  }
  [[nodiscard]] const device_info& info() const override { return info_; }
  [[nodiscard]] headroom::allocator& allocator() override { return host_.allocator(); }
  [[nodiscard]] counter_source& counters() override { return host_.counters(); }
  [[nodiscard]] system_reading read_system() const override { return {}; }
  [[nodiscard]] bool computes() const override { return true; }
  [[nodiscard]] stream_id create_stream() override { return host_.create_stream(); }
  void order_after(stream_id, stream_id) override {}
  void synchronize(stream_id) override {}
  void synchronize() override {}
  [[nodiscard]] void* native_stream(stream_id) override { return nullptr; }
  void copy_to_device(void*, const void*, bytes, stream_id) override {}
  void copy_to_host(void*, const void*, bytes, stream_id) override {}
  void copy_on_device(void*, const void*, bytes, stream_id) override {}
  void fill_zero(void*, bytes, stream_id) override {}

 private:
  cpu_device host_;
  device_info info_;
};

TEST(Launch, ABodyCompiledAsCxxIsNotRunForAGpu) {
  claimed_cuda_device cuda;
  int visits = 0;
  try {
    launch_elements(cuda, {}, 1, count_visit{&visits});
    ADD_FAILURE() << "the launch was not refused";
  } catch (const usage_error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("cannot run on cuda:7; compile its source as CUDA"));
  }
  EXPECT_THROW(launch_rows(cuda, {}, 1, 1, spread_of_row{nullptr, nullptr, nullptr}), usage_error);
  EXPECT_EQ(visits, 0);
}

}  // namespace
}  // namespace headroom::kernels
