// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/size_text.hpp>
#include <headroom/report/series_report.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>

#include "program_levels.hpp"

namespace headroom::cli {
namespace {

constexpr std::size_t most_rows = 20;

/// Of the emulated card that stands for the other run's device.
std::string same_device(const run_facts& predicted, const run_facts& measured,
                        const std::string& device) {
  for (int i = 0; i < static_cast<int>(predicted.cards.size()); ++i) {
    if (device_id(measured, i) == device) return device_id(predicted, i);
  }
  return device;
}

class figures {
 public:
  explicit figures(std::vector<calibrated_figure>& into) : into_(into) {}

  void predicted(calibrated_figure figure) { into_.push_back(std::move(figure)); }
  void measured(calibrated_figure figure) {
    for (calibrated_figure& each : into_) {
      if (each.phase != figure.phase || each.parent != figure.parent ||
          each.device != figure.device || each.counter != figure.counter) {
        continue;
      }
      each.measured = figure.measured;
      return;
    }
    into_.push_back(std::move(figure));
  }

 private:
  std::vector<calibrated_figure>& into_;
};

/// @param put  (figure, value)
template <class Put>
void each_figure(const program_run& of, const Put& put) {
  for (const phase_peaks& phase : peaks_by_phase(of.series)) {
    for (const counter_id id : all_counters) {
      calibrated_figure figure;
      figure.phase = phase.name;
      figure.parent = phase.parent;
      figure.device = phase.device;
      figure.counter = name_of(id);
      put(figure, phase.highest[static_cast<std::size_t>(id)]);
    }
  }
  for (const program_process& process : of.series.program->processes) {
    for (const process_levels& levels : process.devices) {
      calibrated_figure figure;
      figure.phase = "context";
      figure.device = levels.device;
      figure.counter = fmt::format("process {}", process.number);
      put(figure, levels.context);
    }
  }
}

bool alike(const run_card& one, const run_card& other) {
  const std::int64_t between = one.capacity.n - other.capacity.n;
  return one.capability == other.capability &&
         std::max(between, -between) <= std::max(one.capacity.n, other.capacity.n) / 50;
}

}  // namespace

calibration_record calibrate(const program_run& predicted, const program_run& measured) {
  calibration_record record;
  const run_card& card = measured.facts.cards.front();
  record.device = device_id(measured.facts, 0);
  record.name = card.name;
  record.compute_capability = card.capability;
  record.capacity = card.capacity;
  record.emulated = card.emulated || measured.facts.log.emulated;
  record.alike = alike(predicted.facts.cards.front(), card);
  record.artifact = measured.series.id;
  record.outcome = name_of(measured.result.outcome);
  figures all(record.figures);
  each_figure(predicted, [&](calibrated_figure& figure, const std::optional<bytes>& value) {
    figure.predicted = value;
    all.predicted(figure);
  });
  each_figure(measured, [&](calibrated_figure& figure, const std::optional<bytes>& value) {
    figure.device = same_device(predicted.facts, measured.facts, figure.device);
    figure.measured = value;
    all.measured(figure);
  });
  return record;
}

std::string calibration_text(const calibration_record& record) {
  std::string text = fmt::format(
      "\n  {:<11}{}\n", "beside it",
      wrap_column(
          fmt::format("{} {}{}: {}{}", record.device, printable(record.name),
                      record.emulated ? " (emulated: nothing was measured)" : "", record.outcome,
                      record.alike ? "" : "; another card, so that this decides nothing"),
          13));
  text_table table({align::left, align::left, align::right, align::right, align::right});
  table.add({"phase", "counter", "emulated", "beside it", "difference"});
  std::size_t equal = 0;
  std::size_t different = 0;
  for (const calibrated_figure& each : record.figures) {
    if (each.predicted == each.measured) {
      if (each.predicted) ++equal;
      continue;
    }
    if (++different > most_rows) continue;
    const std::optional<bytes> difference = each.difference();
    table.add({printable(each.phase), printable(each.counter), size_words(each.predicted),
               size_words(each.measured),
               difference ? fmt::format("{:+} B", difference->n) : "not known"});
  }
  text += fmt::format("  {:<11}{} of {} are equal\n", "figures", equal, equal + different);
  if (different > 0) text += table.text(2);
  if (different > most_rows) text += fmt::format("  and {} more\n", different - most_rows);
  return text;
}

}  // namespace headroom::cli
