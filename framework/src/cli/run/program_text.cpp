// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "program_text.hpp"

#include <fmt/format.h>

#include <headroom/report/series_report.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>

namespace headroom::cli {
namespace {

constexpr std::size_t most_names = 10;

/// What the process took that its framework's allocator does not know of. Two peaks, which may be
/// of different moments: an upper bound is all that can be said where they differ.
std::string outside(const process_levels& levels) {
  if (!levels.framework_reserved_peak) return "-";
  return size_words(levels.reserved_peak - *levels.framework_reserved_peak);
}

std::string processes_table(const program_record& program) {
  text_table table(
      {align::left, align::left, align::right, align::right, align::right, align::right});
  table.add({"process", "card", "taken, peak", "by framework", "outside it", "context"});
  for (const program_process& process : program.processes) {
    for (const process_levels& levels : process.devices) {
      table.add({fmt::format("{}", process.number), levels.device, size_words(levels.reserved_peak),
                 levels.framework_reserved_peak ? size_words(levels.framework_reserved_peak) : "-",
                 outside(levels), size_words(levels.context)});
    }
  }
  return table.text(2);
}

std::string names_of(const std::vector<std::string>& all) {
  std::string text;
  for (std::size_t i = 0; i < all.size() && i < most_names; ++i) {
    text += (i == 0 ? "" : ", ") + printable(all[i]);
  }
  if (all.size() > most_names) text += fmt::format(" and {} more", all.size() - most_names);
  return text;
}

}  // namespace

std::string program_text(const series_record& series,
                         const std::vector<std::filesystem::path>& artifacts) {
  if (!series.program) return "";
  const program_record& program = *series.program;
  std::string text;
  if (!program.processes.empty()) text += '\n' + processes_table(program);
  for (const std::filesystem::path& each : artifacts)
    text += "  artifact   " + each.string() + '\n';
  std::vector<std::string> calls;
  for (const unmodelled_call& each : program.unmodelled) calls.push_back(each.name);
  const auto field = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<11}{}\n", name, wrap_column(value, 13));
  };
  if (!calls.empty())
    field("left out", (program.counted ? "calls whose memory is not counted: "
                                       : "calls that are not modelled: ") +
                          names_of(calls));
  if (!program.gaps.empty()) field("left out", names_of(program.gaps));
  if (program.kernels_left_out > 0) {
    field("left out", fmt::format("{} kernels: values that they would write are zeros",
                                  program.kernels_left_out));
  }
  return text;
}

}  // namespace headroom::cli
