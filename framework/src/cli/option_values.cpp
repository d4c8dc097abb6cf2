// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "option_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <headroom/core/error.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>
#include <vector>

namespace headroom::cli {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view what) {
  throw usage_error(fmt::format("{} {}: {}", option, quoted_text(text), what));
}

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

template <class Number>
Number digits(std::string_view option, std::string_view text, Number lowest, Number highest) {
  const auto wanted = [&] {
    return highest == std::numeric_limits<Number>::max()
               ? fmt::format("write a whole number from {}, digits alone", lowest)
               : fmt::format("write a whole number from {} to {}, digits alone", lowest, highest);
  };
  if (!is_digits(text)) refuse(option, text, fmt::format("no whole number; {}", wanted()));
  Number value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc()) refuse(option, text, fmt::format("too large; {}", wanted()));
  if (value < lowest || value > highest) refuse(option, text, wanted());
  return value;
}

}  // namespace

std::int64_t whole_number(std::string_view option, std::string_view text, std::int64_t lowest,
                          std::int64_t highest) {
  return digits<std::int64_t>(option, text, lowest, highest);
}

int small_number(std::string_view option, std::string_view text, int lowest, int highest) {
  return digits<int>(option, text, lowest, highest);
}

std::uint64_t seed_number(std::string_view option, std::string_view text) {
  return digits<std::uint64_t>(option, text, 0, std::numeric_limits<std::uint64_t>::max());
}

bytes size_option(std::string_view option, std::string_view text) {
  const size_result size = parse_size(text);
  if (size.value) return *size.value;
  refuse(option, text, fmt::format("{}; {}", size.found, size.advice));
}

std::string one_of(std::string_view option, std::string_view text,
                   std::span<const std::string> names) {
  if (std::find(names.begin(), names.end(), text) != names.end()) return std::string(text);
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view nearest = nearest_name(text, known);
  if (!nearest.empty()) refuse(option, text, fmt::format("write \"{}\"", nearest));
  refuse(option, text, (known.size() > 1 ? "write one of " : "write ") + list_of(known));
}

device_request device_option(std::string_view option, std::string_view text) {
  try {
    return parse_device_request(text);
  } catch (const usage_error& fault) {
    throw usage_error(fmt::format("{}: {}", option, fault.what()));
  }
}

allocator_choice allocator_option(std::string_view option, std::string_view text) {
  try {
    return parse_allocator_choice(text);
  } catch (const usage_error& fault) {
    throw usage_error(fmt::format("{}: {}", option, fault.what()));
  }
}

void refuse_existing(const std::filesystem::path& file) {
  std::error_code failure;
  const auto status = std::filesystem::symlink_status(file, failure);
  if (status.type() == std::filesystem::file_type::directory) {
    throw output_error(
        fmt::format("{}: this is a folder; give the name of a new file in it", file.string()));
  }
  if (std::filesystem::exists(status)) {
    throw output_error(fmt::format(
        "{}: exists, and is not overwritten; give another name or move it away", file.string()));
  }
}

std::string option_name(std::string_view name) {
  std::string option = "--" + std::string(name);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

}  // namespace headroom::cli
