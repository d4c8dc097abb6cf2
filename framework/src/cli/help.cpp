// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "help.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <headroom/report/words.hpp>
#include <headroom/series/environment.hpp>

namespace headroom::cli {
namespace {

constexpr std::size_t name_column = 2;
constexpr std::size_t words_column = 26;

/// Calls visit(line) for each line of a text.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string paragraphs(std::string_view text, std::size_t indent) {
  std::string result;
  for_each_line(text, [&](std::string_view line) {
    result += std::string(indent, ' ') + wrap_column(line, indent) + '\n';
  });
  return result;
}

/// A name, and what it is in a column of its own; a long name has a line of its own.
std::string entry(std::string_view name, std::string_view what) {
  std::string result = std::string(name_column, ' ') + std::string(name);
  if (result.size() + 2 > words_column) {
    result += '\n' + std::string(words_column, ' ');
  } else {
    result.resize(words_column, ' ');
  }
  return result + wrap_column(what, words_column) + '\n';
}

std::string name_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::string name = option.get_name(false, true);
  for (std::size_t at = name.find(','); at != std::string::npos; at = name.find(',', at + 2)) {
    name.insert(at + 1, " ");
  }
  return name;
}

std::string entries(const CLI::App& options, bool positional) {
  std::string result;
  for (const option_words& each : options_of(options)) {
    if (each.positional != positional) continue;
    result += entry(each.value.empty() ? each.name : each.name + ' ' + each.value, each.what);
  }
  return result;
}

}  // namespace

std::vector<option_words> options_of(const CLI::App& options) {
  std::vector<option_words> all;
  for (const CLI::Option* const option : options.get_options()) {
    if (option->get_group().empty()) continue;  // not for people
    const bool positional = option->get_positional();
    all.push_back({name_of(*option), positional ? "" : option->get_type_name(),
                   option->get_description(), positional});
  }
  return all;
}

std::string with_program_name(const program& of, std::string_view text) {
  constexpr std::string_view own = "headroom ";
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || text[at - 1] == '\n' || text[at - 1] == '`';
    if (begins && text.substr(at).starts_with(own)) {
      result += of.name + ' ';
      at += own.size();
    } else {
      result += text[at++];
    }
  }
  return result;
}

std::string command_help(const program& of, const command_words& words, const CLI::App& options) {
  std::string text = fmt::format("usage: {} {} [OPTIONS]{}{}\n\n", of.name, words.name,
                                 words.arguments.empty() ? "" : " ", words.arguments);
  text += paragraphs(words.details, 0);
  if (const std::string arguments = entries(options, true); !arguments.empty()) {
    text += "\narguments:\n" + arguments;
  }
  text += "\noptions:\n" + entries(options, false);
  text += "\nexit code:\n" + paragraphs(words.exits, name_column);
  text += "\nexample:\n";
  for_each_line(with_program_name(of, words.example), [&](std::string_view line) {
    text += std::string(name_column, ' ') + std::string(line) + '\n';
  });
  return text;
}

std::string group_help(const program& of, std::string_view group) {
  std::string text = fmt::format("usage: {} {} COMMAND [OPTIONS]\n\ncommands:\n", of.name, group);
  for (const command_maker make : all_commands()) {
    const command_words words = make(of)->words();
    if (words.name.starts_with(std::string(group) + ' ')) text += entry(words.name, words.purpose);
  }
  return text + fmt::format("\n`{} {} COMMAND --help` says what each does.\n", of.name, group);
}

std::string_view exit_code_words() {
  return "0 done; within budget\n"
         "1 done; a budget is exceeded, a regression was found, or nothing fits\n"
         "2 the device or backend asked for is not there; nothing was measured\n"
         "3 the input is not valid\n"
         "4 the output exists or could not be written\n"
         "5 the workload failed while being measured\n"
         "6 unknown: a reading is missing, or the meter did not prove itself\n";
}

std::string program_help(const program& of) {
  std::string text = fmt::format(
      "usage: {} COMMAND [OPTIONS] [ARGUMENTS]\n\n"
      "Device memory as a tested contract.\n\n"
      "commands:\n",
      of.name);
  for (const command_maker make : all_commands()) {
    const command_words words = make(of)->words();
    text += entry(words.name, words.purpose);
  }
  if (!of.workloads.entries().empty()) text += "\nworkloads:\n";
  for (const workload_entry& each : of.workloads.entries()) text += entry(each.name, each.what);
  text += "\noptions:\n";
  text += entry("-h, --help", "print this and exit");
  text += entry("--version", "print the version and exit");
  text +=
      fmt::format("\n`{} COMMAND --help` says what a command does, with an example.\n", of.name);
  return text + "\nexit code:\n" + paragraphs(exit_code_words(), name_column);
}

std::string version_line(const program& of) {
  const tool_record tool = this_tool();
  const std::string with = of.name == "headroom" ? "" : fmt::format("{} with ", of.name);
  if (!tool.revision) return fmt::format("{}headroom {}\n", with, tool.version);
  return fmt::format("{}headroom {} (revision {})\n", with, tool.version, *tool.revision);
}

}  // namespace headroom::cli
