// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/size_text.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>

namespace headroom::kernels {
namespace {

const std::optional<bytes>& peak_of(const checkpointing_figures& row) {
  return row.counters[static_cast<std::size_t>(counter_id::allocated_peak)];
}

std::string mebibytes(const std::optional<bytes>& size) {
  return size ? format_in_unit(*size, "MiB") : "-";
}

std::string number(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string saved_words(const checkpointing_figures& row) {
  if (row.policy == "none") return "";
  if (!row.saved) return "-";
  return row.saved->n == 0 ? "nothing" : format_binary(*row.saved);
}

std::vector<std::int64_t> layers_of(const std::vector<checkpointing_figures>& rows) {
  std::vector<std::int64_t> layers;
  for (const checkpointing_figures& row : rows) {
    if (std::find(layers.begin(), layers.end(), row.layers) == layers.end()) {
      layers.push_back(row.layers);
    }
  }
  return layers;
}

text_table empty_table() {
  text_table table({align::left, align::left, align::right, align::right, align::right,
                    align::right, align::right, align::right, align::right});
  table.add({" ", "", "step", "of", "allocated", "", "reserved", "", "saved of"});
  table.add({"", "policy", "ms", "none", "current", "peak", "current", "peak", "the peak"});
  return table;
}

}  // namespace

void compare_times(std::vector<checkpointing_figures>& rows) {
  for (const checkpointing_figures& none : rows) {
    if (none.policy != "none" || !none.milliseconds || *none.milliseconds <= 0.0) continue;
    for (checkpointing_figures& row : rows) {
      if (row.layers != none.layers || !row.milliseconds) continue;
      row.time_against_none = *row.milliseconds / *none.milliseconds;
    }
  }
}

std::optional<bool> dominated(const checkpointing_figures& row,
                              const std::vector<checkpointing_figures>& all) {
  const auto complete = [](const checkpointing_figures& each) {
    return each.milliseconds && peak_of(each);
  };
  if (!complete(row)) return std::nullopt;
  return std::any_of(all.begin(), all.end(), [&](const checkpointing_figures& other) {
    if (other.layers != row.layers || !complete(other)) return false;
    const bool no_worse =
        *other.milliseconds <= *row.milliseconds && *peak_of(other) <= *peak_of(row);
    return no_worse && (*other.milliseconds < *row.milliseconds || *peak_of(other) < *peak_of(row));
  });
}

std::string checkpointing_table(const std::vector<checkpointing_figures>& rows) {
  std::string text;
  std::string failures;
  bool any_dominated = false;
  for (const std::int64_t layers : layers_of(rows)) {
    text_table table = empty_table();
    for (const checkpointing_figures& row : rows) {
      if (row.layers != layers) continue;
      if (!row.failure.empty()) {
        table.add({"", printable(row.policy), "failed"});
        failures +=
            wrap(fmt::format("{}: {}", printable(row.name), printable(row.failure)), 2) + "\n";
        continue;
      }
      const bool marked = dominated(row, rows).value_or(false);
      any_dominated = any_dominated || marked;
      std::vector<std::string> entries{marked ? "*" : "", row.policy, number(row.milliseconds, 1),
                                       number(row.time_against_none, 2)};
      for (const auto& each : row.counters) entries.push_back(mebibytes(each));
      entries.push_back(saved_words(row));
      table.add(std::move(entries));
    }
    text += fmt::format("{} layers, bytes in MiB\n{}\n", layers, table.text(0));
  }
  if (any_dominated) {
    text += "* another policy takes no more time and no more memory, and less of one\n";
  }
  return text + failures;
}

}  // namespace headroom::kernels
