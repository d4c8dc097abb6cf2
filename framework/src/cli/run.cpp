// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <headroom/cli/program.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>
#include <iostream>
#include <vector>

#include "arguments.hpp"
#include "command.hpp"
#include "help.hpp"

namespace headroom::cli {
namespace {

constexpr std::array commands{make_estimate,
                              make_estimate_kv_cache,
                              make_estimate_training,
                              make_environment,
                              make_measure,
                              make_sweep,
                              make_boundary,
                              make_run,
                              make_check,
                              make_compare,
                              make_update,
                              make_budget_new,
                              make_budget_show,
                              make_budget_validate,
                              make_summary,
                              make_replay,
                              make_completion,
                              make_man};

/// A command, and how many arguments name it.
struct found_command {
  std::unique_ptr<command> made;
  std::size_t words = 1;
};

std::string advice_for(std::string_view name, const std::vector<std::string_view>& known) {
  const std::string_view nearest = nearest_name(name, known);
  if (!nearest.empty()) return fmt::format("write \"{}\"", nearest);
  return fmt::format("the commands are {}", list_of(known));
}

bool asks_for_help(const std::string& argument) { return argument == "--help" || argument == "-h"; }

/// @return nothing when the help of a group was asked for, and printed
/// @throws usage_error with the nearest name
std::optional<found_command> find_command(const program& of, std::span<const std::string> arguments,
                                          const console& io) {
  const std::string& first = arguments.front();
  const std::string second = arguments.size() > 1 ? arguments[1] : "";
  std::vector<std::string_view> names;
  std::vector<std::string_view> of_group;  // two words, the first of them as asked
  std::optional<found_command> found;
  for (const command_maker make : commands) {
    std::unique_ptr<command> made = make(of);
    const std::string_view name = made->words().name;
    names.push_back(name);
    if (name.starts_with(first + ' ')) of_group.push_back(name);
    if (name == first) found = found_command{std::move(made), 1};
    if (name == first + ' ' + second) return found_command{std::move(made), 2};
  }
  if (of_group.empty()) {
    if (found) return found;
    throw usage_error(
        fmt::format("unknown command {}; {}", quoted_text(first), advice_for(first, names)));
  }
  const bool names_none = second.empty() || second.front() == '-';
  if (found && names_none) return found;
  if (asks_for_help(second)) {
    io.out << group_help(of, first);
    return std::nullopt;
  }
  if (found) of_group.push_back(first);
  const std::string asked = names_none ? first : first + ' ' + second;
  throw usage_error(fmt::format("{} {}; {}", names_none ? "half of a command:" : "unknown command",
                                quoted_text(asked), advice_for(asked, of_group)));
}

exit_code chosen_command(const program& of, std::span<const std::string> arguments,
                         const console& io) {
  const std::optional<found_command> found = find_command(of, arguments, io);
  if (!found) return exit_code::done;
  CLI::App options;
  found->made->declare(options);
  std::span<const std::string> own = arguments.subspan(found->words);
  if (found->made->takes_rest()) {
    const auto mark = std::find(own.begin(), own.end(), "--");
    const auto before = static_cast<std::size_t>(mark - own.begin());
    if (mark != own.end()) found->made->take_rest(own.subspan(before + 1));
    own = own.first(before);
  }
  const bool misses_mark =
      found->made->takes_rest() && own.size() + found->words == arguments.size();
  try {
    if (!read_arguments(options, own)) {
      io.out << command_help(of, found->made->words(), options);
      return exit_code::done;
    }
  } catch (const usage_error& fault) {
    if (!misses_mark) throw;
    throw usage_error(fmt::format("{}; what is to be run stands behind --", fault.what()));
  }
  return found->made->run(io);
}

exit_code run_program(const program& of, std::span<const std::string> arguments,
                      const console& io) {
  if (arguments.empty()) {
    io.err << program_help(of);
    return exit_code::invalid_input;
  }
  if (asks_for_help(arguments.front())) {
    io.out << program_help(of);
    return exit_code::done;
  }
  if (arguments.front() == "--version") {
    io.out << version_line(of);
    return exit_code::done;
  }
  return chosen_command(of, arguments, io);
}

/// Runs, and turns what stops it into an exit code. `say` gets the message.
template <class Say>
exit_code guarded(const program& of, std::span<const std::string> arguments, const console& io,
                  Say say) {
  try {
    return run_program(of, arguments, io);
  } catch (const output_error& fault) {
    return say(fault.what()), exit_code::no_output;
  } catch (const device_error& fault) {
    return say(fault.what()), exit_code::no_device;
  } catch (const out_of_memory& fault) {
    return say(fault.what()), exit_code::workload_failed;
  } catch (const error& fault) {  // arguments, budgets, artifacts, traces
    return say(fault.what()), exit_code::invalid_input;
  } catch (const std::filesystem::filesystem_error& fault) {
    return say(fmt::format("{}: {}", fault.path1().string(), fault.code().message())),
           exit_code::invalid_input;
  } catch (const std::bad_alloc&) {
    return say("this machine has not enough memory for that"), exit_code::workload_failed;
  }
}

}  // namespace

std::span<const command_maker> all_commands() { return commands; }

bool runs_series(std::span<const std::string> arguments) {
  if (arguments.empty()) return false;
  const program none;
  const std::string two = arguments.size() > 1 ? arguments[0] + ' ' + arguments[1] : arguments[0];
  return std::any_of(commands.begin(), commands.end(), [&](const command_maker make) {
    const command_words words = make(none)->words();
    return words.runs_series && (words.name == arguments[0] || words.name == two);
  });
}

int run(const program& of, std::span<const std::string> arguments, const console& io) {
  exit_code code = guarded(of, arguments, io, [&](std::string_view message) {
    io.out.flush();  // what was printed comes first where both go to one place
    io.err << of.name << ": " << message << '\n';
  });
  io.out.flush();
  if (!io.out && code != exit_code::invalid_input) {
    io.err << of.name << ": standard output could not be written; is the disk full?\n";
    code = exit_code::no_output;
  }
  return static_cast<int>(code);
}

int run_main(const program& of, int count, const char* const* arguments) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> all(arguments + std::min(count, 1), arguments + count);
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  return run(of, all, {std::cin, std::cout, std::cerr, terminal});
}

}  // namespace headroom::cli
