// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/size_text.hpp>
#include <headroom/report/limit_update.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>

namespace headroom {
namespace {

std::string_view words_of(update_action action) {
  switch (action) {
    case update_action::raise:
      return "raised";
    case update_action::lower:
      return "lowered";
    case update_action::keep:
      return "kept";
    case update_action::not_asked:
      return "over, not asked";
    case update_action::from_envelope:
      return "kept: the envelope";
    case update_action::not_measured:
      return "kept: not measured";
  }
  return "";
}

std::string size_or_dash(const std::optional<bytes>& size) {
  return size ? format_binary(*size) : "-";
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Lines that differ. An update changes lines and adds some at one place near the end.
std::string line_difference(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_lines = lines_of(before);
  const std::vector<std::string_view> new_lines = lines_of(after);
  std::size_t tail = 0;
  while (tail < old_lines.size() && tail < new_lines.size() &&
         old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail]) {
    ++tail;
  }
  std::string text;
  const std::size_t old_end = old_lines.size() - tail;
  const std::size_t new_end = new_lines.size() - tail;
  for (std::size_t i = 0; i < std::max(old_end, new_end); ++i) {
    const bool in_old = i < old_end;
    const bool in_new = i < new_end;
    if (in_old && in_new && old_lines[i] == new_lines[i]) continue;
    if (in_old) text += fmt::format("-{}: {}\n", i + 1, printable(old_lines[i]));
    if (in_new) text += fmt::format("+{}: {}\n", i + 1, printable(new_lines[i]));
  }
  return text;
}

}  // namespace

std::string update_text(const budget& of, std::span<const update_source> sources,
                        const update_request& request, std::span<const limit_change> changes,
                        std::string_view new_text) {
  std::string text = fmt::format("{}, {}\n", printable(of.name), printable(of.file));
  text +=
      fmt::format("  margin     {} above the highest reading\n", printable(request.margin.text));
  bool predicted = false;
  for (const update_source& source : sources) {
    predicted |= source.stored.series.prediction();
    text += fmt::format("  artifact   {}\n", printable(source.file));
  }
  if (predicted) text += "  readings   predictions, not GPU measurements\n";
  text_table table({align::left, align::right, align::right, align::right, align::left});
  table.add({"limit", "now", "reading", "new", ""});
  for (const limit_change& each : changes) {
    table.add({printable(each.what), size_or_dash(each.from), size_or_dash(each.reading),
               size_or_dash(each.to), std::string(words_of(each.action))});
  }
  text += '\n' + table.text(2);
  const std::string difference = line_difference(of.source, new_text);
  return text + '\n' + (difference.empty() ? "No limit changes.\n" : difference);
}

}  // namespace headroom
