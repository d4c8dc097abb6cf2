// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run_artifacts.hpp"

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <system_error>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

/// Of each process its own; one that cannot be written does not keep back the others.
void write_processes(const program_run& run, const fs::path& path, written_artifacts& into) {
  const run_facts& facts = run.facts;
  if (!run.series.program || run.series.program->processes.size() < 2) return;
  for (const program_process& process : run.series.program->processes) {
    const fs::path own =
        path.parent_path() / fmt::format("{}.process-{}.json", stem_of(path), process.number);
    try {
      artifact_file file =
          artifact_file::at(own, facts.test, facts.cards.front().name, facts.against);
      series_record one = series_of_process(facts, process.number);
      one.id = file.id();
      file.finish(one, judge_program(facts, one), facts.against);
      into.processes.push_back(own);
    } catch (const output_error& fault) {
      if (into.fault.empty()) into.fault = fault.what();
    }
  }
}

/// NAME.process-N.json of any N
bool is_process_of(const std::string& stem, std::string name) {
  const std::string begin = stem + ".process-";
  if (!name.starts_with(begin) || !name.ends_with(".json")) return false;
  name = name.substr(begin.size(), name.size() - begin.size() - 5);
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::string stem_of(const fs::path& path) {
  std::string stem = path.filename().string();
  if (stem.ends_with(".json")) stem.resize(stem.size() - 5);
  return stem;
}

void refuse_earlier_processes(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code none;
  for (const fs::directory_entry& each : fs::directory_iterator(folder, none)) {
    if (!is_process_of(stem_of(path), each.path().filename().string())) continue;
    throw output_error(
        fmt::format("{}: an earlier run's artifact of one process, which this run might have to "
                    "write, and does not overwrite; give --output another name or move it away",
                    (path.parent_path() / each.path().filename()).string()));
  }
}

written_artifacts write_artifacts(const program_run& run, artifact_file& artifact) {
  written_artifacts written;
  try {
    artifact.finish(run.series, run.result, run.facts.against);
  } catch (const output_error& fault) {
    written.fault = fault.what();
  }
  write_processes(run, artifact.path(), written);
  return written;
}

}  // namespace headroom::cli
