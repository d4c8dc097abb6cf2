// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <atomic>
#include <headroom/core/error.hpp>
#include <headroom/series/run_series.hpp>

namespace headroom {
namespace {

std::atomic<bool> process_has_measured = false;

struct planned_phase {
  std::string name;
  pass_kind pass;
  int repeat;
};

std::vector<planned_phase> plan_phases(const workload& work, const protocol& passes) {
  std::vector<planned_phase> plan;
  if (passes.touch) plan.push_back({"touch", pass_kind::setup, 0});
  plan.push_back({"model_load", pass_kind::setup, 0});
  plan.push_back({"inputs", pass_kind::setup, 0});
  plan.push_back({fmt::format("cold_{}", work.pass_name()), pass_kind::cold, 1});
  for (int i = 1; i <= passes.warmup; ++i) plan.push_back({"warmup", pass_kind::warmup, i});
  for (int i = 1; i <= passes.repeats; ++i) {
    plan.push_back({fmt::format("warm_{}", work.pass_name()), pass_kind::warm, i});
  }
  return plan;
}

void run_planned(const planned_phase& planned, workload& work, run_context& run) {
  run.phase(planned.name, [&] {
    if (planned.name == "touch") {
      work.touch(run);
    } else if (planned.name == "model_load") {
      work.load(run);
    } else if (planned.name == "inputs") {
      work.make_inputs(run);
    } else {
      work.run_pass(run);
    }
  });
}

void empty_caches(std::span<device* const> devices) {
  for (device* each : devices) {
    each->synchronize();
    static_cast<void>(each->allocator().empty_cache());
  }
}

// The error is in the record already; only what happened outside of any phase still needs a place.
void run_phases(phase_recorder& recorder, workload& work, const protocol& passes) {
  const std::vector<planned_phase> plan = plan_phases(work, passes);
  run_context run(recorder);
  std::size_t next = 0;
  try {
    for (; next < plan.size(); ++next) {
      recorder.enter_pass(plan[next].pass, plan[next].repeat);
      const bool repeats =
          plan[next].pass == pass_kind::warmup || plan[next].pass == pass_kind::warm;
      if (repeats && passes.empty_cache_between_repeats) empty_caches(recorder.devices());
      run_planned(plan[next], work, run);
      // The allocator's counters are then those of a series without the touch.
      if (plan[next].name == "touch") empty_caches(recorder.devices());
    }
    recorder.enter_pass(pass_kind::after, 0);
    work.finish(run);
  } catch (...) {
    if (next == plan.size() && recorder.phases().back().status == phase_status::ok) {
      recorder.open("finish");
      recorder.fail(std::current_exception());
    }
    for (std::size_t i = next + 1; i < plan.size(); ++i) {
      recorder.add_not_run(plan[i].name, plan[i].pass, plan[i].repeat);
    }
  }
}

device_record describe(device& each) {
  device_record record{each.info(), each.allocator().describe(),
                       each.counters().describe_counters(), std::nullopt};
  if (const rehearsal* rehearsed = each.rehearsed()) record.rehearsed = rehearsed->record();
  return record;
}

}  // namespace

series_record run_series(std::span<device* const> devices, workload& work,
                         const series_options& options) {
  if (devices.empty()) throw usage_error("run_series: no device; give at least one");
  if (options.protocol.repeats < 1 || options.protocol.warmup < 0) {
    throw usage_error(
        fmt::format("run_series: warmup {} and repeats {}; write warmup 0 or more and "
                    "repeats 1 or more",
                    options.protocol.warmup, options.protocol.repeats));
  }
  series_record series;
  series.created = utc_now();
  series.test = options.test;
  series.tool = this_tool();
  series.workload = work.description();
  series.executed = work.executed();
  series.protocol = options.protocol;
  series.pass_name = work.pass_name();
  series.fresh_process = !process_has_measured.exchange(true);
  series.environment = capture_environment();

  for (device* each : devices) series.probes.push_back(probe_meter(*each));
  for (const probe_record& probe : series.probes) {
    if (!probe.passed) series.setup_error = "the meter did not prove itself: " + probe.detail;
  }
  for (device* each : devices) {
    if (rehearsal* rehearsed = each->rehearsed()) rehearsed->begin();
  }
  if (!series.setup_error) {
    phase_recorder recorder(devices);
    recorder.on_phase_end = options.on_phase_end;
    run_phases(recorder, work, options.protocol);
    series.phases = recorder.phases();
  }
  // What a workload settles while it runs (executed dimensions, settings, checks) is read at the
  // end.
  series.executed = work.executed();
  series.settings = work.settings();
  series.checks = work.checks();
  for (device* each : devices) series.devices.push_back(describe(*each));
  return series;
}

series_record run_series(device& on, workload& work, const series_options& options) {
  device* const only = &on;
  return run_series(std::span<device* const>(&only, 1), work, options);
}

}  // namespace headroom
