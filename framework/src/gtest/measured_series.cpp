// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/size_text.hpp>
#include <headroom/gtest/measured_series.hpp>
#include <headroom/report/words.hpp>
#include <ostream>

namespace headroom {

std::optional<bytes> measured_phase::highest(counter_id counter) const {
  std::optional<bytes> result;
  for (const phase_record* phase : occurrences_) {
    if (phase->status != phase_status::ok || phase->readings.empty()) return std::nullopt;
    for (const device_reading& reading : phase->readings) {
      const std::optional<bytes> value = reading.end[counter];
      if (!value) return std::nullopt;
      if (!result || *result < *value) result = value;
    }
  }
  return result;
}

measured_series::measured_series(series_record record, verdict result, budget against,
                                 std::filesystem::path artifact)
    : record_(std::make_shared<const series_record>(std::move(record))),
      verdict_(std::move(result)),
      budget_(std::move(against)),
      artifact_(std::move(artifact)) {}

measured_phase measured_series::phase(std::string_view name) const {
  std::vector<const phase_record*> found;
  for (const phase_record& each : record_->phases) {
    if (each.name == name) found.push_back(&each);
  }
  return {std::string(name), std::move(found)};
}

void PrintTo(const measured_series& series, std::ostream* out) {
  *out << outcome_line(series.record(), series.result());
}

void PrintTo(const measured_phase& phase, std::ostream* out) {
  *out << "phase " << phase.name() << " (" << phase.occurrences().size() << " occurrences)";
  for (const counter_id counter : all_counters) {
    const std::optional<bytes> value = phase.highest(counter);
    *out << ", " << words_of(counter) << " " << (value ? format_exact(*value) : "not measured");
  }
}

}  // namespace headroom
