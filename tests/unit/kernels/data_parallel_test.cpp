// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// A training step over several devices beside one device with all of the batch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/series/open_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <limits>

namespace headroom::kernels {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct variant {
  const char* dtype = "float32";
  std::int64_t microbatches = 1;
  std::vector<std::pair<std::string, std::string>> options;
};

workload_description description_of(const variant& of, std::int64_t batch, std::int64_t replicas) {
  workload_description description;
  description.name = "dense";
  description.operation = "train";
  description.revision = "1";
  description.seed = 7;
  description.dtype = of.dtype;
  description.requested = {{"batch", batch}, {"context", 16}, {"width", 48}, {"layers", 4}};
  if (of.microbatches > 1) description.requested.set("microbatches", of.microbatches);
  if (replicas > 1) description.requested.set("replicas", replicas);
  description.options = of.options;
  return description;
}

struct trained {
  std::vector<std::unique_ptr<device>> devices;
  std::unique_ptr<dense_training_workload> work;  // goes before the devices that it uses
  series_record series;
  std::vector<float> weights;  // of the first replica
};

trained train(const std::string& on, const variant& of, std::int64_t batch, std::int64_t replicas) {
  trained done;
  done.work = std::make_unique<dense_training_workload>(description_of(of, batch, replicas));
  done.devices = open_devices(request_for(parse_device_request(on), done.work->device_count()));
  series_options options;
  options.protocol = {1, 2};
  done.series = run_series(pointers_to(done.devices), *done.work, options);
  if (ran_whole(done.series)) {
    done.work->trainer()->export_weights([&](std::span<const float> values) {
      done.weights.insert(done.weights.end(), values.begin(), values.end());
    });
  }
  return done;
}

float largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size() || a.empty()) return std::numeric_limits<float>::infinity();
  float largest = 0.0F;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

class DataParallel : public testing::TestWithParam<variant> {};
INSTANTIATE_TEST_SUITE_P(
    Variants, DataParallel,
    testing::Values(variant{}, variant{"float32", 2, {{"optimizer", "sgd"}}},
                    variant{"float32", 1, {{"loss", "mean_squared_error"}}},
                    variant{"float32", 1, {{"adapters", "4"}, {"optimizer", "sgd"}}},
                    variant{"bfloat16", 1, {{"optimizer", "sgd"}}}));

TEST_P(DataParallel, LearnsWhatOneDeviceLearnsWithAllOfTheBatch) {
  const bool exact = std::string_view(GetParam().dtype) == "float32";
  const float tolerance = exact ? 2e-5F : 2e-2F;
  for (const std::int64_t replicas : {2, 3}) {
    SCOPED_TRACE(replicas);
    const trained one = train("cpu", GetParam(), 4 * replicas, 1);
    const trained several = train("cpu", GetParam(), 4, replicas);
    ASSERT_EQ(several.series.failed_phase(), nullptr)
        << several.series.failed_phase()->error->message;
    EXPECT_EQ(several.work->losses().size(), 4U);
    EXPECT_LT(largest_difference(one.work->losses(), several.work->losses()), tolerance);
    EXPECT_LT(largest_difference(one.weights, several.weights), tolerance);
    EXPECT_NE(one.work->losses().front(), one.work->losses().back()) << "something is learned";
    EXPECT_NEAR(*one.work->evaluation_loss(), *several.work->evaluation_loss(), 0.05F);
  }
}

TEST_P(DataParallel, KeepsTheSameBitsOnEveryDevice) {
  const trained several = train("cpu", GetParam(), 4, 3);
  ASSERT_EQ(several.series.checks.size(), 2U);
  EXPECT_EQ(several.series.checks[1].name, "replicas");
  EXPECT_TRUE(several.series.checks[1].passed) << several.series.checks[1].detail;
  EXPECT_THAT(several.series.checks[1].detail, HasSubstr("0 of "));
}

TEST_P(DataParallel, TakesOfEachDeviceWhatThePlanSays) {
  const trained planned = train("plan:24GB", GetParam(), 4, 2);
  const trained computed = train("cpu", GetParam(), 4, 2);
  const trained alone = train("plan:24GB", GetParam(), 4, 1);
  ASSERT_EQ(planned.series.phases.size(), computed.series.phases.size());
  std::size_t of_alone = 0;
  for (std::size_t i = 0; i < planned.series.phases.size(); ++i) {
    const phase_record& phase = planned.series.phases[i];
    SCOPED_TRACE(phase.name);
    ASSERT_EQ(phase.status, phase_status::ok);
    ASSERT_EQ(phase.readings.size(), 2U);
    for (std::size_t on = 0; on < 2; ++on) {
      EXPECT_EQ(phase.readings[on].end.counters,
                computed.series.phases[i].readings[on].end.counters);
    }
    EXPECT_EQ(phase.readings[0].end.counters, phase.readings[1].end.counters);
    if (phase.name == "reduce") continue;  // the only phase that one device has not
    EXPECT_EQ(phase.name, alone.series.phases.at(of_alone).name);
    EXPECT_EQ(phase.readings[0].end.counters,
              alone.series.phases[of_alone++].readings[0].end.counters)
        << "replicas take what a device takes that is alone";
  }
}

TEST(DataParallelTraining, NamesItsDevicesAndItsReduction) {
  const trained several = train("plan:24GB", {}, 4, 2);
  EXPECT_EQ(several.series.devices[0].info.id, "plan:24GB#0");
  EXPECT_EQ(several.series.devices[1].info.id, "plan:24GB#1");
  EXPECT_THAT(several.series.settings,
              testing::Contains(testing::Pair("reduction", "on the host, float32, in order")));
}

TEST(DataParallelTraining, AddsUpOnTheHostWhereThereAreNoCards) {
  for (const char* choice : {"auto", "nccl", "host"}) {
    SCOPED_TRACE(choice);
    const trained several = train("cpu", {"float32", 1, {{"reduction", choice}}}, 4, 2);
    EXPECT_THAT(several.series.settings,
                testing::Contains(testing::Pair("reduction", "on the host, float32, in order")));
    ASSERT_EQ(several.series.checks.size(), 2U);
    EXPECT_TRUE(several.series.checks[1].passed) << several.series.checks[1].detail;
  }
}

TEST(DataParallelTraining, NamesTheDeviceThatHasNoRoom) {
  const trained done = train("plan:24GB,plan:21MiB", {}, 4, 2);
  const phase_record* const failed = done.series.failed_phase();
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->name, "forward");
  EXPECT_EQ(failed->error->kind, "out_of_memory");
  EXPECT_EQ(failed->error->device, "plan:21MiB");
  const verdict result = judge_without_budget(done.series);
  EXPECT_EQ(result.outcome, outcome::out_of_memory);
  EXPECT_THAT(result.reason, HasSubstr("phase forward on plan:21MiB: "));
}

TEST(DataParallelTraining, RefusesAnotherNumberOfDevices) {
  const dense_training_workload two(description_of({}, 4, 2));
  EXPECT_EQ(two.device_count(), 2);
  const auto refusal = [&](const char* devices) -> std::string {
    try {
      static_cast<void>(request_for(parse_device_request(devices), two.device_count()));
    } catch (const usage_error& problem) {
      return problem.what();
    }
    return "(not refused)";
  };
  EXPECT_EQ(refusal("plan:24GB,plan:16GB,plan:8GB"),
            "device \"plan:24GB,plan:16GB,plan:8GB\": 3 devices, and the workload runs on 2");
  EXPECT_THAT(refusal("cuda:0"), HasSubstr("name them all, for example cuda:0,cuda:1"));
  // A program that does not ask the workload meets the same refusal when it loads.
  const auto one = open_device(parse_device_request("plan:24GB"));
  dense_training_workload work(description_of({}, 4, 2));
  const series_record series = run_series(*one, work, {});
  ASSERT_NE(series.failed_phase(), nullptr);
  EXPECT_THAT(series.failed_phase()->error->message, HasSubstr("replicas is 2, and 1 device(s)"));
}

TEST(DataParallelTraining, IsRefusedWhereItIsNotMeant) {
  const auto refusal = [](const workload_description& of) -> std::string {
    try {
      const dense_training_workload made(of);
    } catch (const usage_error& problem) {
      return problem.what();
    }
    return "(not refused)";
  };
  EXPECT_THAT(refusal(description_of({"float32", 1, {{"verify", "checkpointing"}}}, 4, 2)),
              HasSubstr("leave one of them out"));
  EXPECT_EQ(refusal(description_of({}, 4, 1025)), "replicas is 1025; give 1024 or less");
  EXPECT_EQ(refusal(description_of({"float32", 1, {{"reduction", "ring"}}}, 4, 2)),
            "reduction is \"ring\"; write \"auto\" (NCCL on cards where it is there), \"nccl\" or "
            "\"host\"");
  EXPECT_THAT(refusal(description_of({"float32", 1, {{"reduction", "nccl"}}}, 4, 1)),
              HasSubstr("reduction is given, and replicas is 1"));
}

}  // namespace
}  // namespace headroom::kernels
