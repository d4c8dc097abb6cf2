// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/quoted_text.hpp>
#include <headroom/report/words.hpp>

namespace headroom {

std::string pass_words(pass_kind pass, int repeat, const protocol& of) {
  switch (pass) {
    case pass_kind::cold:
      return "cold pass";
    case pass_kind::warmup:
      return fmt::format("warmup {} of {}", repeat, of.warmup);
    case pass_kind::warm:
      return fmt::format("warm repeat {} of {}", repeat, of.repeats);
    case pass_kind::setup:
    case pass_kind::after:
      break;
  }
  return "";
}

std::string place_words(const std::string& phase, pass_kind pass, int repeat, const protocol& of) {
  const std::string which = pass_words(pass, repeat, of);
  return which.empty() ? phase : fmt::format("{}, {}", phase, which);
}

std::string_view standing_words(bool prediction) {
  return prediction ? "prediction, not a GPU measurement" : "measurement";
}

std::string devices_words(const series_record& series) {
  std::string names;
  for (const device_record& device : series.devices) {
    if (!names.empty()) names += ", ";
    names += device.info.id;
    if (device.info.kind == device_kind::cuda) names += fmt::format(" {}", device.info.name);
  }
  if (names.empty()) names = "no device";
  return fmt::format("{} ({})", names, standing_words(series.prediction()));
}

std::string workload_words(const workload_description& work) {
  std::string text = fmt::format("{} {} {}", work.name, work.operation, work.dtype);
  if (!work.requested.empty()) text += ": " + work.requested.text();
  for (const auto& [name, value] : work.options) text += fmt::format(", {} {}", name, value);
  return text;
}

std::string settings_words(const allocator_settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings.entries()) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", name, value);
  }
  return text.empty() ? "defaults" : text;
}

std::string outcome_line(const series_record& series, const verdict& result) {
  return fmt::format("headroom: {}: {} ({}) on {}",
                     series.test.empty() ? workload_words(series.workload) : series.test,
                     words_of(result.outcome), result.reason, devices_words(series));
}

std::string printable(std::string_view text) {
  const std::string quoted = quoted_text(text, text.size());
  std::string result;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    const bool escaped = quoted[i] == '\\' && (quoted[i + 1] == '"' || quoted[i + 1] == '\\');
    if (escaped) ++i;
    result += quoted[i];
  }
  return result;
}

std::string wrap(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column > 0 && column + 1 + word.size() > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

std::string wrap_column(std::string_view text, std::size_t column, std::size_t width) {
  std::string result = wrap(text, 0, width - column);
  for (std::size_t at = result.find('\n'); at != std::string::npos;
       at = result.find('\n', at + 1)) {
    result.insert(at + 1, column, ' ');
  }
  return result;
}

}  // namespace headroom
