// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "variation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>

#include "option_values.hpp"

namespace headroom::cli {
namespace {

constexpr std::size_t most_values = 1000;

class range_reader {
 public:
  range_reader(std::string_view whole, std::vector<std::int64_t>& into)
      : whole_(whole), into_(into) {}

  void read(std::string_view part) {
    const std::size_t dots = part.find("..");
    if (dots == std::string_view::npos) return add(number(part));
    const std::string_view behind = part.substr(dots + 2);
    const std::size_t sign = behind.find_first_of("*+");
    const std::int64_t first = number(part.substr(0, dots));
    const std::int64_t last = number(behind.substr(0, sign));
    const bool times = sign != std::string_view::npos && behind[sign] == '*';
    const std::int64_t step = sign == std::string_view::npos ? 1 : number(behind.substr(sign + 1));
    if (last < first) refuse("the range ends before it begins");
    if (times && step < 2) refuse("times 1 goes nowhere; write *2 or more");
    for (std::int64_t value = first; value <= last;) {
      add(value);
      const bool fits =
          times ? checked_multiply(value, step, value) : checked_add(value, step, value);
      if (!fits) return;
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw usage_error(fmt::format(
        "--vary {}: {}; write NAME=1,2,4 or NAME=1..64*2 or NAME=8..64+8, each value once",
        quoted_text(whole_), why));
  }
  [[nodiscard]] std::int64_t number(std::string_view text) const {
    return whole_number(fmt::format("--vary {}:", quoted_text(whole_)), text, 1);
  }
  void add(std::int64_t value) {
    if (std::find(into_.begin(), into_.end(), value) != into_.end()) {
      refuse(fmt::format("{} is there twice", value));
    }
    if (into_.size() == most_values) refuse(fmt::format("more than {} values", most_values));
    into_.push_back(value);
  }

  std::string_view whole_;
  std::vector<std::int64_t>& into_;
};

}  // namespace

variation parse_variation(std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string_view::npos || sign == 0) {
    throw usage_error(
        fmt::format("--vary {}: write NAME=VALUES, for example batch=1,2,4 or batch=1..64*2",
                    quoted_text(text)));
  }
  variation read{std::string(text.substr(0, sign)), {}};
  range_reader ranges(text, read.values);
  std::string_view rest = text.substr(sign + 1);
  for (;;) {
    const std::size_t comma = rest.find(',');
    ranges.read(rest.substr(0, comma));
    if (comma == std::string_view::npos) return read;
    rest.remove_prefix(comma + 1);
  }
}

void require_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (!failure && !std::filesystem::is_directory(folder)) {
    failure = std::make_error_code(std::errc::not_a_directory);
  }
  if (failure) {
    throw output_error(fmt::format("{}: cannot be made a folder: {}; name another", folder.string(),
                                   failure.message()));
  }
}

std::filesystem::path point_path(const std::filesystem::path& folder, std::string_view dimension,
                                 std::int64_t value) {
  return folder / fmt::format("{}-{}.json", dimension, value);
}

}  // namespace headroom::cli
