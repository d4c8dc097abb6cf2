// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/size_text.hpp>
#include <headroom/report/artifact_summary.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>

#include "fields.hpp"

namespace headroom {
namespace {

using detail::field;

std::string row_name(const limit_verdict& judged, const series_record& series) {
  std::string name(words_of(judged.counter));
  switch (judged.scope) {
    case limit_scope::passes:
      break;
    case limit_scope::cold:
    case limit_scope::warm:
      name += fmt::format(", {}", name_of(judged.scope));
      break;
    case limit_scope::phase:
      name += fmt::format(", {}", judged.phase);
      break;
    case limit_scope::growth:
      name += ", growth";
      break;
    case limit_scope::headroom:
      name = "headroom of device";
  }
  if (series.devices.size() > 1) name += fmt::format(", {}", judged.device);
  return printable(name);
}

std::string limit_words(const limit_verdict& judged) {
  if (judged.result == ruling::waived) return "waived";
  if (!judged.limit) return "none";
  const std::string size = format_binary(*judged.limit);
  return judged.bound == bound::at_most ? size : "at least " + size;
}

std::string measured_words(const limit_verdict& judged) {
  if (judged.measured) return format_binary(*judged.measured);
  return judged.result == ruling::waived ? "-" : "not measured";
}

std::string headroom_words(const limit_verdict& judged) {
  if (const std::optional<bytes> left = headroom_of(judged)) return format_binary(*left);
  return judged.result == ruling::unknown ? "unknown" : "-";
}

/// A series without a budget was measured, and met nothing.
std::string_view outcome_words(const stored_artifact& artifact) {
  const bool judged = artifact.against || artifact.result.outcome != outcome::within;
  return judged ? words_of(artifact.result.outcome) : "measured, nothing was judged";
}

std::string table_of(const stored_artifact& artifact) {
  text_table table({align::left, align::right, align::right, align::right});
  table.add({"counter", "limit", "measured", "headroom"});
  for (const limit_verdict& judged : summarized_limits(artifact.result)) {
    table.add({row_name(judged, artifact.series), limit_words(judged), measured_words(judged),
               headroom_words(judged)});
  }
  return table.text(2);
}

}  // namespace

std::optional<bytes> headroom_of(const limit_verdict& judged) {
  if (judged.result == ruling::unknown || !judged.limit || !judged.measured) return std::nullopt;
  return judged.bound == bound::at_most ? *judged.limit - *judged.measured
                                        : *judged.measured - *judged.limit;
}

std::vector<limit_verdict> summarized_limits(const verdict& result) {
  std::vector<limit_verdict> shown;
  for (const limit_verdict& judged : result.limits) {
    const bool of_passes = judged.scope == limit_scope::passes ||
                           judged.scope == limit_scope::cold || judged.scope == limit_scope::warm;
    const bool green = judged.result == ruling::within || judged.result == ruling::waived;
    if (of_passes || !green) shown.push_back(judged);
  }
  return shown;
}

std::string artifact_summary(const stored_artifact& artifact, const std::filesystem::path& file) {
  const series_record& series = artifact.series;
  const verdict& result = artifact.result;
  std::string text =
      fmt::format("{}: {}\n", printable(artifact.against ? artifact.against->name : "no budget"),
                  outcome_words(artifact));
  if (!series.test.empty()) text += field("test", series.test);
  text += field("workload", workload_words(series.workload));
  text += field("device", devices_words(series));
  if (result.outcome != outcome::within) {
    text += field("reason", result.reason);
    text += field("artifact", file.string());
  }
  for (const std::string& warning : result.warnings) text += field("warning", warning);
  if (!summarized_limits(result).empty()) text += table_of(artifact);
  return text;
}

std::string start_summary(const start_record& started, const std::filesystem::path& file) {
  std::string text =
      fmt::format("{}: started, not finished: nothing was measured\n",
                  printable(started.budget ? std::filesystem::path(*started.budget).stem().string()
                                           : "no budget"));
  if (!started.test.empty()) text += field("test", started.test);
  text += field("device", started.device);
  text += field("started", fmt::format("{}, process {}", started.created, started.process));
  text += field("record", file.string());
  return text;
}

}  // namespace headroom
