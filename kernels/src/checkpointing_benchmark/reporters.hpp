// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <benchmark/benchmark.h>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "row.hpp"
#include "table.hpp"

namespace headroom::kernels {

/// Keeps what Google Benchmark reports until all rows are there, in whatever order they ran.
class collecting_reporter : public ::benchmark::BenchmarkReporter {
 public:
  using rows = std::vector<std::shared_ptr<const checkpointing_row>>;
  explicit collecting_reporter(rows of) : rows_(std::move(of)) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& reports) override;

 protected:
  /// One for each row that was reported, in order; of repetitions the median.
  [[nodiscard]] std::vector<checkpointing_figures> figures() const;
  std::vector<std::vector<Run>> groups_;  // as they were reported

 private:
  rows rows_;
  std::deque<::benchmark::MemoryManager::Result> memory_;  // what the runs point to
};

/// Prints the table.
class table_reporter final : public collecting_reporter {
 public:
  /// @param title  goes in front
  table_reporter(rows of, std::string title)
      : collecting_reporter(std::move(of)), title_(std::move(title)) {}
  void Finalize() override;

 private:
  std::string title_;
};

/// Hands everything to one of Google Benchmark's own reporters, each row with what is known only
/// when all rows are there: time_against_none, 1.33 for a third longer than none took (the median
/// of its repetitions), and dominated, 1 or 0.
class marking_reporter final : public collecting_reporter {
 public:
  marking_reporter(rows of, std::unique_ptr<::benchmark::BenchmarkReporter> to)
      : collecting_reporter(std::move(of)), to_(std::move(to)) {}
  bool ReportContext(const Context& context) override;
  void Finalize() override;

 private:
  std::unique_ptr<::benchmark::BenchmarkReporter> to_;
};

}  // namespace headroom::kernels
