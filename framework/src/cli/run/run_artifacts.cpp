// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run_artifacts.hpp"

#include <fmt/format.h>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> write_processes(const program_run& run, const fs::path& path) {
  std::vector<fs::path> written;
  const run_facts& facts = run.facts;
  if (!run.series.program || run.series.program->processes.size() < 2) return written;
  for (const program_process& process : run.series.program->processes) {
    const fs::path own =
        path.parent_path() / fmt::format("{}.process-{}.json", stem_of(path), process.number);
    artifact_file file =
        artifact_file::at(own, facts.test, facts.cards.front().name, facts.against);
    series_record one = series_of_process(facts, process.number);
    one.id = file.id();
    file.finish(one, judge_program(facts, one), facts.against);
    written.push_back(own);
  }
  return written;
}

}  // namespace

std::string stem_of(const fs::path& path) {
  std::string stem = path.filename().string();
  if (stem.ends_with(".json")) stem.resize(stem.size() - 5);
  return stem;
}

std::vector<fs::path> write_artifacts(const program_run& run, artifact_file& artifact) {
  artifact.finish(run.series, run.result, run.facts.against);
  return write_processes(run, artifact.path());
}

}  // namespace headroom::cli
