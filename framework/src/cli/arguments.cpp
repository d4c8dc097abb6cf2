// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>
#include <vector>

namespace headroom::cli {
namespace {

/// "--device" of "--device=plan:24GB"
std::string_view option_part(std::string_view argument) {
  return argument.substr(0, argument.find('='));
}

[[noreturn]] void refuse_extra(const CLI::App& options, std::string_view argument) {
  if (argument.size() < 2 || argument[0] != '-') {
    throw usage_error(fmt::format("found the argument {} after all that are expected; leave it out",
                                  quoted_text(argument)));
  }
  std::vector<std::string> known;
  for (const CLI::Option* const option : options.get_options()) {
    if (!option->get_positional()) known.push_back(option->get_name(false, false));
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view nearest = nearest_name(option_part(argument), names);
  throw usage_error(fmt::format("unknown option {}; write {}", quoted_text(option_part(argument)),
                                nearest.empty() ? "one of those that --help lists" : nearest));
}

}  // namespace

void add_help_option(CLI::App& options) {
  options.set_help_flag("-h,--help", "print this and exit");
}

bool read_arguments(CLI::App& options, std::span<const std::string> arguments) {
  add_help_option(options);
  options.allow_extras();
  try {
    options.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ParseError& fault) {
    throw usage_error(fault.what());
  }
  const std::vector<std::string> extra = options.remaining();
  if (!extra.empty()) refuse_extra(options, extra.front());
  return true;
}

}  // namespace headroom::cli
