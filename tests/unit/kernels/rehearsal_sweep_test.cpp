// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/artifact_reader.hpp>
#include <headroom_kernels/workloads.hpp>
#include <memory>
#include <string>

#include "shipped_budgets.hpp"
#include "support/temporary_folder.hpp"

/// Out of memory at every request of the shipped budgets' series.
namespace headroom::kernels {
namespace {

using test::run;
using test::shipped;

using device_maker = std::function<std::unique_ptr<device>(const allocator_choice&)>;

std::unique_ptr<device> open_plan(const allocator_choice& choice) {
  return std::make_unique<plan_device>("24GB", choice);
}
std::unique_ptr<device> open_cpu(const allocator_choice& choice) {
  return std::make_unique<cpu_device>(choice, 1_GiB);
}

/// The budget with two passes; a third repeats what the second asked for.
budget shortened(const std::string& name) {
  budget against = shipped(name);
  against.protocol = {1, 1};
  return against;
}

// Under a sanitizer the text of an artifact costs far more than its series.
#ifdef __SANITIZE_ADDRESS__
constexpr int artifact_stride = 10;
#else
constexpr int artifact_stride = 1;
#endif

class sweep {
 public:
  sweep(budget against, device_maker open, allocator_kind kind)
      : against_(std::move(against)), open_(std::move(open)), kind_(kind) {}

  /// Every request of this kind in turn, alone or with all that come later.
  void refuse_each(request_kind what, bool all_later_ones) {
    const std::int64_t requests = requests_of(what);
    ASSERT_GT(requests, 1);
    for (std::int64_t n = 1; n <= requests && !testing::Test::HasFailure(); ++n) {
      rehearsed_refusal refusal{what, n, n};
      if (all_later_ones) refusal.last.reset();
      refuse(refusal);
    }
  }

  [[nodiscard]] static int faults() { return faults_; }

 private:
  allocator_choice choice_of(rehearsed_refusal refusal) const {
    allocator_choice choice;
    choice.kind = kind_;
    choice.rehearsed.refusals = {refusal};
    return choice;
  }

  std::int64_t requests_of(request_kind what) {
    const std::unique_ptr<device> on = open_(choice_of({what, 1'000'000'000, {}}));
    const std::unique_ptr<workload> work = make_workload(against_.workload);
    const series_record series = run(*on, *work, against_);
    EXPECT_EQ(judge(series, against_).outcome, outcome::unknown) << "rehearsed, and a pass";
    const rehearsal_record counted = series.devices.at(0).rehearsed.value();
    EXPECT_EQ(counted.refused, 0);
    return what == request_kind::allocation ? counted.allocations : counted.segments;
  }

  void refuse(rehearsed_refusal refusal) {
    ++faults_;
    const std::unique_ptr<device> on = open_(choice_of(refusal));
    std::unique_ptr<workload> work = make_workload(against_.workload);
    const series_record series = run(*on, *work, against_);
    const verdict result = judge(series, against_);
    SCOPED_TRACE(against_.name + " on " + on->info().id + " with " +
                 series.devices.at(0).rehearsed->plan);
    EXPECT_GE(series.devices.at(0).rehearsed->refused, 1);
    const bool tried_again =
        kind_ == allocator_kind::caching && refusal.what == request_kind::segment && refusal.last;
    if (tried_again) {
      // Cached memory that was given back can change what is reserved, even beyond a limit.
      EXPECT_THAT(result.outcome, testing::AnyOf(outcome::unknown, outcome::exceeded))
          << result.reason;
      EXPECT_EQ(series.failed_phase(), nullptr);
      EXPECT_GE(series.phases.back().readings.at(0).end.retries, 1);
    } else {
      expect_out_of_memory(series, result);
    }
    expect_valid_artifact(series, result);
    work.reset();
    on->synchronize();
    on->allocator().empty_cache();
    EXPECT_EQ(on->counters().read()[counter_id::allocated_current], 0_B) << "leaked";
    EXPECT_EQ(on->counters().read()[counter_id::reserved_current], 0_B) << "leaked";
  }

  static void expect_out_of_memory(const series_record& series, const verdict& result) {
    EXPECT_EQ(result.outcome, outcome::out_of_memory) << result.reason;
    const phase_record* const failed = series.failed_phase();
    ASSERT_NE(failed, nullptr);
    EXPECT_NE(failed->name, "");
    EXPECT_EQ(failed->status, phase_status::failed);
    EXPECT_EQ(failed->error->kind, "out_of_memory");
    EXPECT_EQ(failed->error->device, series.devices.at(0).info.id);
    EXPECT_TRUE(failed->error->what);
    ASSERT_TRUE(failed->error->requested);
    EXPECT_GT(*failed->error->requested, 0_B);
    ASSERT_EQ(failed->readings.size(), 1U);
    EXPECT_EQ(failed->readings[0].end.refusals, 1);
  }

  void expect_valid_artifact(series_record series, const verdict& result) {
    if (faults_ % artifact_stride != 0) return;
    series.id = "00ff";
    const std::string text = artifact_text(series, result, &against_);
    try {
      const stored_artifact read = parse_artifact(text, "artifact");
      EXPECT_EQ(artifact_text(read.series, read.result, &against_), text);
    } catch (const std::exception& invalid) {
      ADD_FAILURE() << invalid.what();
    }
  }

  budget against_;
  device_maker open_;
  allocator_kind kind_;
  inline static int faults_ = 0;
};

void sweep_over(const std::string& name, const device_maker& open, budget against) {
  for (const allocator_kind kind : {allocator_kind::caching, allocator_kind::plain}) {
    SCOPED_TRACE(name);
    sweep each(against, open, kind);
    each.refuse_each(request_kind::allocation, false);
    each.refuse_each(request_kind::segment, false);
    each.refuse_each(request_kind::segment, true);
  }
}

TEST(RehearsalSweep, EndsWellAtEveryRequestOfEveryShippedBudget) {
  for (const char* name :
       {"dense_forward_typical", "dense_forward_long", "dense_forward_limit", "dense_train_typical",
        "dense_train_typical_every_layer", "dense_train_typical_accumulated", "dense_train_long",
        "dense_train_long_sqrt", "dense_train_limit", "dense_train_limit_sqrt"}) {
    sweep_over(name, open_plan, shortened(name));
  }
  RecordProperty("faults", sweep::faults());
  EXPECT_GE(sweep::faults(), 5'000);
}

TEST(RehearsalSweep, EndsWellWhereKernelsRun) {
  for (const char* name : {"dense_forward_typical", "dense_train_typical"}) {
    budget small = shortened(name);
    for (const auto& [dimension, value] : small.workload.requested.entries()) {
      small.workload.requested.set(dimension, std::min<std::int64_t>(value, 8));
    }
    sweep_over(name, open_cpu, small);
  }
}

/// The JSON Schema's word on artifacts of rehearsals; that of the reader is asked for each of them.
TEST(RehearsalSweep, WritesArtifactsThatSatisfyTheSchema) {
  const headroom::test::temporary_folder folder;
  const budget against = shortened("dense_train_typical");
  for (const char* plan : {"allocation:1", "allocation:20", "segment:1", "segment:1+",
                           "segment:2-3", "allocation:1000000"}) {
    allocator_choice choice;
    choice.rehearsed = parse_rehearsal(plan);
    const std::unique_ptr<device> on = open_plan(choice);
    const std::unique_ptr<workload> work = make_workload(against.workload);
    artifact_file file(folder.path(), "Rehearsed", on->info().id, &against);
    series_record series = run(*on, *work, against);
    series.id = file.id();
    file.finish(series, judge(series, against), &against);
  }
  const std::string root = HEADROOM_SOURCE_DIR;
  const std::string command = "/usr/bin/python3 '" + root + "/tests/schema/check_schema.py' '" +
                              root + "/budgets/schema/headroom-artifact-1.schema.json' '" +
                              folder.path().string() + "'";
  const int status = std::system(command.c_str());
  if (WIFEXITED(status) && (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 127)) {
    GTEST_SKIP() << "no Python with jsonschema; install python3-jsonschema";
  }
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace headroom::kernels
