// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <headroom_kernels/workloads.hpp>

#include "run_workload.hpp"
#include "same_readings.hpp"

namespace headroom::kernels {
namespace {

using test::at_peak;
using test::run;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

workload_description small_training() {
  workload_description description;
  description.name = "dense";
  description.operation = "train";
  description.revision = "1";
  description.seed = 1234;
  description.dtype = "float32";
  description.requested = {{"batch", 4}, {"context", 16}, {"width", 48}, {"layers", 4}};
  return description;
}

using change = std::function<void(workload_description&)>;

std::string refusal(const change& made) {
  workload_description description = small_training();
  made(description);
  try {
    static_cast<void>(make_workload(description));
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

change option(const char* name, const char* value) {
  return [=](workload_description& d) { d.options.emplace_back(name, value); };
}

TEST(DenseTrainingWorkload, RefusesWhatItDoesNotKnowAndSaysWhatToWrite) {
  EXPECT_EQ(refusal([](auto&) {}), "(not refused)");
  EXPECT_EQ(refusal([](auto& d) { d.operation = "tran"; }),
            "the workload \"dense\" has no operation \"tran\"; write \"forward\" or \"train\"");
  EXPECT_EQ(refusal([](auto& d) { d.requested.set("layers", 0); }),
            "the workload \"dense\" has layers = 0; give 1 or more");
  EXPECT_EQ(refusal([](auto& d) { d.requested.set("microbatches", 0); }),
            "the workload \"dense\" has microbatches = 0; give 1 or more");
  EXPECT_EQ(refusal([](auto& d) { d.requested.set("microbatches", 3); }),
            "batch 4 does not divide into 3 microbatches; give a batch that is a multiple of "
            "microbatches, for example 3");
  EXPECT_EQ(refusal([](auto& d) { d.requested.set("microbatches", 8); }),
            "batch 4 does not divide into 8 microbatches; give a batch that is a multiple of "
            "microbatches, for example 8");
  EXPECT_EQ(refusal([](auto& d) { d.requested.set("heads", 2); }),
            "the workload \"dense\" has no dimension \"heads\"; it has batch, context, width, "
            "layers, microbatches and replicas");
  EXPECT_EQ(refusal(option("policy", "none")),
            "the workload \"dense\" has no option \"policy\"; it has \"loss\", \"optimizer\", "
            "\"learning_rate\", \"checkpointing\", \"adapters\", \"adapter_scale\", \"verify\", "
            "\"reduction\", \"matrix_workspace\"");
  EXPECT_EQ(refusal(option("loss", "mse")),
            "there is no loss \"mse\"; write \"cross_entropy\" or \"mean_squared_error\"");
  EXPECT_EQ(refusal(option("optimizer", "adam")),
            "there is no optimizer \"adam\"; write \"sgd\" or \"adamw\"");
  EXPECT_EQ(refusal(option("checkpointing", "every_5")),
            "the checkpointing policy \"every_5\" has more layers in a segment than the network, "
            "which has 4; write \"every_4\" or a smaller number");
  EXPECT_THAT(refusal(option("checkpointing", "every_0")), HasSubstr("write \"every_layer\""));
  EXPECT_THAT(refusal(option("checkpointing", "full")),
              HasSubstr("there is no checkpointing policy \"full\""));
  EXPECT_EQ(refusal(option("verify", "loss")),
            "verify is \"loss\"; write \"checkpointing\", or leave the option out");
  for (const char* rate : {"", "fast", "0", "-1", "nan", "inf", "1e-3x", "1e999"}) {
    EXPECT_THAT(refusal(option("learning_rate", rate)),
                HasSubstr("give a number above 0, for example \"0.001\""))
        << rate;
  }
  EXPECT_EQ(refusal(option("learning_rate", "1e-2")), "(not refused)");
}

TEST(DenseTrainingWorkload, RefusesSizesThatDoNotFitBeforeAnythingIsAllocated) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_THAT(refusal([&](auto& d) { d.requested.set("width", large); }),
              HasSubstr("the parameters, layers 4 x (width 1099511627776"));
  EXPECT_THAT(refusal([&](auto& d) { d.requested.set("layers", std::int64_t{1} << 50); }),
              HasSubstr("do not fit 64 bits; make one of them smaller"));
}

std::vector<std::string> names_of(const series_record& series, pass_kind pass, int repeat) {
  std::vector<std::string> names;
  for (const phase_record& phase : series.phases) {
    EXPECT_EQ(phase.status, phase_status::ok) << phase.name;
    if (phase.pass == pass && phase.repeat == repeat) names.push_back(phase.name);
  }
  return names;
}

TEST(DenseTrainingWorkload, RunsItsPhasesInOrder) {
  cpu_device cpu;
  workload_description description = small_training();
  description.requested.set("microbatches", 2);
  dense_training_workload work(description);
  const series_record series = run(cpu, work);
  EXPECT_THAT(names_of(series, pass_kind::cold, 1),
              ElementsAre("cold_step", "forward", "loss", "backward", "forward", "loss", "backward",
                          "update"));
  EXPECT_THAT(names_of(series, pass_kind::warm, 2),
              ElementsAre("warm_step", "forward", "loss", "backward", "forward", "loss", "backward",
                          "update"));
  EXPECT_THAT(names_of(series, pass_kind::after, 0), ElementsAre("evaluate", "export"));
  EXPECT_THAT(series.settings,
              ElementsAre(Pair("matrix_workspace", "8388608 B"), Pair("loss", "cross_entropy"),
                          Pair("optimizer", "adamw"), Pair("learning_rate", "0.001"),
                          Pair("checkpointing", "none")));
  ASSERT_EQ(series.checks.size(), 1U);
  EXPECT_EQ(series.checks[0].name, "export");
  EXPECT_TRUE(series.checks[0].passed);
  EXPECT_EQ(series.checks[0].detail, "9408 of 9408 parameters written, 9408 of them finite");
  EXPECT_EQ(work.losses().size(), 4U);
  EXPECT_GT(work.losses().front(), work.losses().back());
  EXPECT_TRUE(work.evaluation_loss().has_value());
}

const phase_record& phase_of(const series_record& series, std::string_view name, pass_kind pass) {
  for (const phase_record& phase : series.phases) {
    if (phase.name == name && phase.pass == pass) return phase;
  }
  throw usage_error("no such phase");
}

TEST(DenseTrainingWorkload, ShowsWhereOptimizerStateAndGradientsAppear) {
  for (const char* type : {"float32", "bfloat16"}) {
    SCOPED_TRACE(type);
    cpu_device cpu;
    workload_description description = small_training();
    description.dtype = type;
    dense_training_workload work(description);
    const dense_training_sizes sizes = work.plan().sizes;
    const series_record series = run(cpu, work);
    EXPECT_EQ(at_peak(phase_of(series, "backward", pass_kind::cold), tag::optimizer), bytes{});
    EXPECT_EQ(at_peak(phase_of(series, "update", pass_kind::cold), tag::optimizer),
              sizes.optimizer);
    EXPECT_EQ(at_peak(phase_of(series, "forward", pass_kind::warm), tag::optimizer),
              sizes.optimizer);
    EXPECT_EQ(at_peak(phase_of(series, "forward", pass_kind::warm), tag::gradients), bytes{});
    EXPECT_EQ(at_peak(phase_of(series, "update", pass_kind::warm), tag::gradients),
              sizes.gradients);
    EXPECT_EQ(at_peak(phase_of(series, "loss", pass_kind::warm), tag::activations),
              sizes.kept + sizes.activation);
    EXPECT_EQ(at_peak(phase_of(series, "export", pass_kind::after), tag::temporary), sizes.staging);
    EXPECT_GT(at_peak(phase_of(series, "evaluate", pass_kind::after), tag::inputs), sizes.inputs);
    EXPECT_EQ(at_peak(phase_of(series, "evaluate", pass_kind::after), tag::activations),
              2 * sizes.activation);
  }
}

TEST(DenseTrainingWorkload, ReadsTheSameOnCpuAndPlanForEachPolicyLossAndType) {
  for (const char* policy : {"none", "selective", "every_layer", "every_2", "every_3", "sqrt"}) {
    for (const char* loss : {"cross_entropy", "mean_squared_error"}) {
      for (const char* type : {"float32", "bfloat16"}) {
        SCOPED_TRACE(std::string(policy) + " " + loss + " " + type);
        workload_description description = small_training();
        description.dtype = type;
        description.requested.set("microbatches", 2);
        description.options = {
            {"checkpointing", policy}, {"loss", loss}, {"verify", "checkpointing"}};
        cpu_device cpu;
        plan_device plan(bytes{std::int64_t{1} << 40});
        dense_training_workload computed(description);
        dense_training_workload planned(description);
        const series_record on_cpu = run(cpu, computed);
        const series_record on_plan = run(plan, planned);
        test::expect_same_readings(on_cpu, on_plan);
        EXPECT_THAT(on_plan.checks, IsEmpty()) << "nothing was computed";
        ASSERT_EQ(on_cpu.checks.size(), 2U);
        EXPECT_TRUE(on_cpu.checks[1].passed) << on_cpu.checks[1].detail;
        EXPECT_THAT(planned.losses(), IsEmpty());
      }
    }
  }
}

TEST(DenseTrainingWorkload, ALossThatIsNotFiniteFailsInThePhaseLoss) {
  cpu_device cpu;
  workload_description description = small_training();
  description.options = {{"learning_rate", "1e30"}, {"optimizer", "sgd"}};
  dense_training_workload work(description);
  const series_record series = run(cpu, work);
  const phase_record* failed = series.failed_phase();
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->name, "loss");
  EXPECT_EQ(failed->parent, "warmup");
  ASSERT_TRUE(failed->error);
  EXPECT_EQ(failed->error->kind, "workload_error");
  EXPECT_THAT(failed->error->message,
              testing::MatchesRegex("the loss is -?(nan|inf) in step 2, microbatch 1 of 1; give a "
                                    "learning_rate below 1e\\+30, or .*"));
  budget against;
  against.workload = description;
  EXPECT_EQ(judge(series, against).outcome, outcome::failed);

  plan_device plan(bytes{std::int64_t{1} << 40});
  dense_training_workload planned(description);
  EXPECT_EQ(run(plan, planned).failed_phase(), nullptr) << "there is no loss to look at";
}

TEST(DenseTrainingWorkload, RunsOutOfMemoryInThePhaseThatAskedForIt) {
  workload_description description = small_training();
  description.requested = {{"batch", 4}, {"context", 256}, {"width", 1024}, {"layers", 16}};
  plan_device plan("160MiB");  // weights 64 MiB, activations of `none` 128 MiB
  dense_training_workload work(description);
  const series_record series = run(plan, work);
  ASSERT_NE(series.failed_phase(), nullptr);
  EXPECT_EQ(series.failed_phase()->name, "forward");
  EXPECT_EQ(series.failed_phase()->error->kind, "out_of_memory");
}

}  // namespace
}  // namespace headroom::kernels
