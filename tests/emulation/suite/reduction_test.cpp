// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Gradients added up by NCCL over emulated cards, beside the host's sum.
#include <gmock/gmock.h>

#include <headroom/device/buffer.hpp>
#include <headroom_kernels/ops/copy_rows.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <headroom_kernels/reduction.hpp>

#include "../api.hpp"
#include "call_counts.hpp"
#include "measured.hpp"

namespace headroom::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

constexpr int layers = 3;
constexpr std::uint64_t steps = 3;  // cold, warmup, warm

suite_case training(std::int64_t replicas, const std::string& reduction,
                    const std::string& dtype = "float32") {
  suite_case made{"training", {}, {1, 1}};
  made.what = {"dense", "train", "1", 20, dtype, {}, {}};
  made.what.requested = {
      {"batch", 2}, {"context", 8}, {"width", 32}, {"layers", layers}, {"replicas", replicas}};
  if (!reduction.empty()) made.what.options = {{"reduction", reduction}};
  return made;
}

class Reductions : public testing::Test {
 protected:
  void SetUp() override {
    set_card("CARD", "1 GiB");
    set_card("CONTENTS", "all");
    set_card("DEVICES", "4");
  }
};
class ReductionOf : public Reductions,
                    public testing::WithParamInterface<std::tuple<std::int64_t, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Devices, ReductionOf,
                         testing::Combine(testing::Values(2, 3, 4),
                                          testing::Values("float32", "bfloat16")),
                         [](const auto& each) {
                           return std::to_string(std::get<0>(each.param)) + "_" +
                                  std::get<1>(each.param);
                         });

TEST_P(ReductionOf, GivesByNcclWhatTheHostGives) {
  const auto [replicas, dtype] = GetParam();
  const suite_case by_nccl = training(replicas, "nccl", dtype);
  const suite_case by_host = training(replicas, "host", dtype);

  const call_counts before = calls_made();
  const measured nccl = measure(by_nccl, "cuda:0", keep::at_phase_ends);
  call_counts made = calls_since(before);
  const auto devices = static_cast<std::uint64_t>(replicas);
  constexpr std::uint64_t tensors = 2 * layers;  // weight and bias of each
  EXPECT_EQ(made["ncclCommInitAll"], 1U);
  EXPECT_EQ(made["ncclAllReduce"], devices * tensors * steps);
  EXPECT_EQ(made["ncclGroupStart"], tensors * steps);
  EXPECT_EQ(made["ncclGroupEnd"], tensors * steps);
  EXPECT_EQ(made["ncclCommDestroy"], devices);
  EXPECT_EQ(made["ncclCommAbort"], 0U);

  const call_counts before_host = calls_made();
  const measured host = measure(by_host, "cuda:0", keep::at_phase_ends);
  for (const auto& [call, count] : calls_since(before_host)) {
    EXPECT_FALSE(call.starts_with("nccl")) << call << " was made " << count << " times";
  }
  EXPECT_EQ(difference(host.kept, nccl.kept, tolerance(by_host.what)), "");
  expect_equal_counters(host.series, nccl.series);
  expect_equal_counters(measure(by_nccl, "plan:1GiB").series, nccl.series);
  expect_equal_counters(measure(by_nccl, "cpu").series, nccl.series);

  ASSERT_EQ(nccl.series.checks.size(), 2U);
  EXPECT_EQ(nccl.series.checks[1].name, "replicas");
  EXPECT_TRUE(nccl.series.checks[1].passed) << nccl.series.checks[1].detail;
  EXPECT_THAT(nccl.series.settings, Contains(Pair("reduction", "NCCL 2.30.7, float32")));
  EXPECT_THAT(host.series.settings, Contains(Pair("reduction", "on the host, float32, in order")));
}

TEST_F(Reductions, AreNcclsOnCardsWhereNothingElseIsSaid) {
  const series_record series = measure(training(2, ""), "cuda:0").series;
  EXPECT_THAT(series.settings, Contains(Pair("reduction", "NCCL 2.30.7, float32")));
  EXPECT_EQ(headroom_emulation_calls("ncclAllReduce"), 2 * 2 * layers * 3);
}

TEST_F(Reductions, AreMadeInTheTouchWhereThereIsOne) {
  suite_case touched = training(2, "");
  touched.passes.touch = true;
  const series_record series = measure(touched, "cuda:0").series;
  EXPECT_EQ(series.failed_phase(), nullptr);
  EXPECT_EQ(headroom_emulation_calls("ncclCommInitAll"), 1);
  EXPECT_EQ(headroom_emulation_calls("ncclCommDestroy"), 2);
}

/// A call that fails, and what is said of it.
struct failing_call {
  const char* call;
  std::uint64_t nth;
  const char* phase;
  const char* device;  ///< "" for what is of all of them
};
void PrintTo(const failing_call& each, std::ostream* out) { *out << each.call << each.nth; }

class FailingNccl : public Reductions, public testing::WithParamInterface<failing_call> {};
INSTANTIATE_TEST_SUITE_P(Calls, FailingNccl,
                         testing::Values(failing_call{"ncclGetVersion", 1, "model_load", ""},
                                         failing_call{"ncclCommInitAll", 1, "model_load", ""},
                                         failing_call{"ncclGroupStart", 2, "reduce", ""},
                                         failing_call{"ncclAllReduce", 1, "reduce", "cuda:0"},
                                         failing_call{"ncclAllReduce", 8, "reduce", "cuda:1"},
                                         failing_call{"ncclAllReduce", 9, "reduce", "cuda:2"},
                                         failing_call{"ncclGroupEnd", 3, "reduce", ""},
                                         failing_call{"ncclCommGetAsyncError", 5, "reduce",
                                                      "cuda:1"}),
                         [](const auto& each) {
                           return each.param.call + std::string("_") +
                                  std::to_string(each.param.nth);
                         });

TEST_P(FailingNccl, IsTheDevicesErrorAndLeavesNothing) {
  const suite_case what = training(3, "");
  static_cast<void>(measure(what, "cuda:0"));  // what is made once a process
  const std::size_t free_before = free_memory();
  const std::int64_t made = headroom_emulation_calls("ncclCommInitAll");
  const std::int64_t destroyed = headroom_emulation_calls("ncclCommDestroy");
  constexpr int system_error = 2;
  headroom_emulation_fail_call(GetParam().call, GetParam().nth, system_error);
  const series_record failed = measure(what, "cuda:0").series;
  ASSERT_NE(failed.failed_phase(), nullptr) << "the error was not told";
  EXPECT_EQ(failed.failed_phase()->name, GetParam().phase);
  EXPECT_EQ(failed.failed_phase()->error->kind, "device_error");
  EXPECT_EQ(failed.failed_phase()->error->device, GetParam().device);
  const std::string devices =
      *GetParam().device == '\0' ? "cuda:0, cuda:1, cuda:2" : GetParam().device;
  EXPECT_THAT(failed.failed_phase()->error->message,
              AllOf(HasSubstr("NCCL: unhandled system error"),
                    HasSubstr(std::string("in ") + GetParam().call + " of " + devices + " at ")));
  // What was made is ended, without a wait for those that will not come.
  const bool reduced = std::string(GetParam().phase) == "reduce";
  EXPECT_EQ(headroom_emulation_calls("ncclCommAbort"), reduced ? 3 : 0);
  EXPECT_EQ(headroom_emulation_calls("ncclCommDestroy"), destroyed);
  EXPECT_LE(headroom_emulation_calls("ncclCommInitAll"), made + 1);
  EXPECT_EQ(free_memory(), free_before) << "left on the card";
  EXPECT_EQ(measure(what, "cuda:0").series.failed_phase(), nullptr) << "the next one is well";
}

// The order of streams: NCCL adds up on a stream of its own here, which what comes before and what
// comes behind are told of, or not.
enum class order_mistake_of_reduction { none, backward_not_waited_for, sum_not_waited_for };

constexpr std::int64_t summed = 1 << 12;
constexpr bytes summed_size{summed * 4};

kernels::tensor_view summed_view(const buffer& of) {
  return {of.address(), kernels::shape{{"rows", 1}, {"numbers", summed}}, kernels::dtype::float32};
}

class reduced_workload final : public workload {
 public:
  explicit reduced_workload(order_mistake_of_reduction mistake) : mistake_(mistake) {}

  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "step"; }
  [[nodiscard]] int device_count() const override { return 2; }

  void load(run_context& run) override {
    run.on_each_device([&](device& on, std::size_t) {
      reducing_ = on.create_stream();
      gradients_.emplace_back(on, summed_size, tag::gradients);
      weights_.emplace_back(on, summed_size, tag::weights);
      on.fill_zero(gradients_.back().address(), summed_size, {});
    });
    sum_ = kernels::make_reduction(kernels::reduction_choice::automatic, run.devices());
  }
  void make_inputs(run_context&) override {}

  void run_pass(run_context& run) override {
    ++passes_;
    std::vector<void*> parts;
    run.on_each_device([&](device& on, std::size_t number) {
      const std::uint64_t seed = 10 * passes_ + number;
      kernels::fill_uniform(on, {}, summed_view(gradients_[number]), seed, 1.0F);
      if (mistake_ != order_mistake_of_reduction::backward_not_waited_for) {
        on.order_after(reducing_, {});
      }
      parts.push_back(gradients_[number].address());
    });
    sum_->add_up(parts, static_cast<std::size_t>(summed), reducing_, {});
    run.on_each_device([&](device& on, std::size_t number) {
      if (mistake_ != order_mistake_of_reduction::sum_not_waited_for) on.order_after({}, reducing_);
      kernels::copy_rows(on, {}, kernels::matrix_of(summed_view(gradients_[number])),
                         kernels::matrix_of(summed_view(weights_[number])));
      on.synchronize(stream_id{});
    });
  }

 private:
  order_mistake_of_reduction mistake_;
  workload_description description_{"reduced", "step", "1", 0, "float32", {{"count", summed}}, {}};
  std::uint64_t passes_ = 0;
  stream_id reducing_;
  std::vector<buffer> gradients_;
  std::vector<buffer> weights_;
  std::unique_ptr<kernels::reduction> sum_;
};

std::string shown_by(order_mistake_of_reduction mistake) {
  const auto make = [&] { return std::make_unique<reduced_workload>(mistake); };
  const measured on_cpu = measure(make, {1, 1}, "cpu", keep::at_phase_ends);
  const measured emulated = measure(make, {1, 1}, "cuda:0", keep::at_phase_ends);
  EXPECT_EQ(emulated.series.failed_phase(), nullptr);
  EXPECT_GT(headroom_emulation_calls("ncclAllReduce"), 0);
  return difference(on_cpu.kept, emulated.kept, tolerance(on_cpu.series.workload));
}

TEST_F(Reductions, ShowABackwardThatWasNotWaitedFor) {
  EXPECT_NE(shown_by(order_mistake_of_reduction::backward_not_waited_for), "");
}
TEST_F(Reductions, ShowASumThatWasNotWaitedFor) {
  EXPECT_NE(shown_by(order_mistake_of_reduction::sum_not_waited_for), "");
}
TEST_F(Reductions, ShowNoMistakeWhereThereIsNone) {
  EXPECT_EQ(shown_by(order_mistake_of_reduction::none), "");
}

}  // namespace
}  // namespace headroom::test
