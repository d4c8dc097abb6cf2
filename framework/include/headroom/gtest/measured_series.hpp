// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/core/budget.hpp>
#include <headroom/series/series_record.hpp>
#include <headroom/series/verdict.hpp>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom {

/// All occurrences of one phase in a series.
class measured_phase {
 public:
  measured_phase(std::string name, std::vector<const phase_record*> occurrences)
      : name_(std::move(name)), occurrences_(std::move(occurrences)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<const phase_record*>& occurrences() const { return occurrences_; }
  /// The highest value over all occurrences and devices. Absent when one of them failed, did not
  /// run or was not measured.
  [[nodiscard]] std::optional<bytes> highest(counter_id counter) const;

 private:
  std::string name_;
  std::vector<const phase_record*> occurrences_;
};

/// A series as a test holds it: the record, the verdict against the test's budget, and its
/// artifact.
class measured_series {
 public:
  measured_series(series_record record, verdict result, budget against,
                  std::filesystem::path artifact);

  [[nodiscard]] const series_record& record() const { return *record_; }
  [[nodiscard]] const verdict& result() const { return verdict_; }
  [[nodiscard]] const budget& against() const { return budget_; }
  [[nodiscard]] const std::filesystem::path& artifact() const { return artifact_; }
  [[nodiscard]] measured_phase phase(std::string_view name) const;

 private:
  std::shared_ptr<const series_record> record_;  // phases point into it
  verdict verdict_;
  budget budget_;
  std::filesystem::path artifact_;
};

/// GoogleTest prints a series as one line.
void PrintTo(const measured_series& series, std::ostream* out);
void PrintTo(const measured_phase& phase, std::ostream* out);

}  // namespace headroom
