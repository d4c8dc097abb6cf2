// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "reporters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::kernels {
namespace {

using run = ::benchmark::BenchmarkReporter::Run;

std::optional<double> counter_of(const run& from, const std::string& name) {
  const auto it = from.counters.find(name);
  return it == from.counters.end() ? std::nullopt : std::optional<double>(it->second.value);
}

std::optional<bytes> bytes_of(const run& from, const std::string& name) {
  const std::optional<double> value = counter_of(from, name);
  return value ? std::optional(bytes{static_cast<std::int64_t>(*value)}) : std::nullopt;
}

/// The higher of cold and warm, as memory_passes::worst.
std::optional<bytes> worst_of(const run& from, counter_id counter) {
  const std::optional<bytes> cold = bytes_of(from, fmt::format("cold_{}", name_of(counter)));
  const std::optional<bytes> warm = bytes_of(from, fmt::format("warm_{}", name_of(counter)));
  return cold && warm ? std::optional(std::max(*cold, *warm)) : std::nullopt;
}

double milliseconds_of(const run& from) {
  switch (from.time_unit) {
    case ::benchmark::kNanosecond:
      return from.GetAdjustedRealTime() / 1e6;
    case ::benchmark::kMicrosecond:
      return from.GetAdjustedRealTime() / 1e3;
    case ::benchmark::kMillisecond:
      return from.GetAdjustedRealTime();
    case ::benchmark::kSecond:
      break;
  }
  return from.GetAdjustedRealTime() * 1e3;
}

void mark(run& reported, const checkpointing_figures& row,
          const std::vector<checkpointing_figures>& all) {
  if (row.milliseconds && row.time_against_none) {
    const double none = *row.milliseconds / *row.time_against_none;
    reported.counters["time_against_none"] = milliseconds_of(reported) / none;
  }
  if (const std::optional<bool> is_dominated = dominated(row, all)) {
    reported.counters["dominated"] = *is_dominated ? 1.0 : 0.0;
  }
}

bool is_of(const run& reported, const checkpointing_row& row) {
  return reported.run_name.function_name == row.name();
}

}  // namespace

bool collecting_reporter::ReportContext(const Context&) { return true; }

void collecting_reporter::ReportRuns(const std::vector<Run>& reports) {
  std::vector<Run> kept = reports;
  // Google Benchmark 1.7 keeps what a manager says in a vector that grows with each repetition, so
  // that all but the last pointer to it are stale: those rows go without its own memory fields.
  bool last = true;
  for (auto each = kept.rbegin(); each != kept.rend(); ++each) {
    if (each->memory_result == nullptr) continue;
    if (last) memory_.push_back(*each->memory_result);
    each->memory_result = last ? &memory_.back() : nullptr;
    last = false;
  }
  groups_.push_back(std::move(kept));
}

std::vector<checkpointing_figures> collecting_reporter::figures() const {
  std::vector<checkpointing_figures> all;
  for (const auto& row : rows_) {
    const Run* chosen = nullptr;
    for (const std::vector<Run>& group : groups_) {
      for (const Run& each : group) {
        const bool shown = each.run_type == Run::RT_Iteration || each.aggregate_name == "median";
        if (is_of(each, *row) && shown) chosen = &each;  // the median comes behind the repetitions
      }
    }
    if (chosen == nullptr) continue;
    checkpointing_figures made;
    made.name = row->name();
    made.policy = row->policy();
    made.layers = row->layers();
    made.failure = row->failure();
    if (made.failure.empty()) {
      if (row->works()) made.milliseconds = milliseconds_of(*chosen);
      for (const counter_id counter : all_counters) {
        made.counters[static_cast<std::size_t>(counter)] = worst_of(*chosen, counter);
      }
      made.saved = bytes_of(*chosen, "saved_allocated_peak");
    }
    all.push_back(std::move(made));
  }
  compare_times(all);
  return all;
}

void table_reporter::Finalize() { GetOutputStream() << title_ << checkpointing_table(figures()); }

bool marking_reporter::ReportContext(const Context& context) {
  to_->SetOutputStream(&GetOutputStream());
  to_->SetErrorStream(&GetErrorStream());
  return to_->ReportContext(context);
}

void marking_reporter::Finalize() {
  const std::vector<checkpointing_figures> all = figures();
  for (std::vector<Run>& group : groups_) {
    for (Run& each : group) {
      // The variation of a counter that is 0 is no number, and Google Benchmark writes it.
      std::erase_if(each.counters,
                    [](const auto& entry) { return !std::isfinite(entry.second.value); });
      if (each.run_type != Run::RT_Iteration) continue;
      for (const checkpointing_figures& row : all) {
        if (row.name == each.run_name.function_name) mark(each, row, all);
      }
    }
    to_->ReportRuns(group);
  }
  to_->Finalize();
}

}  // namespace headroom::kernels
