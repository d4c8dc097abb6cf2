// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <headroom/cli/run.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/device/trace_reader.hpp>
#include <vector>

#include "arguments.hpp"
#include "command.hpp"
#include "help.hpp"

namespace headroom::cli {
namespace {

constexpr std::array<command_maker, 2> commands{make_summary, make_replay};

std::unique_ptr<command> find_command(std::string_view name) {
  std::vector<std::string_view> names;
  for (const command_maker make : commands) {
    std::unique_ptr<command> made = make();
    if (made->words().name == name) return made;
    names.push_back(made->words().name);
  }
  const std::string_view nearest = nearest_name(name, names);
  throw usage_error(fmt::format("unknown command {}; {}", quoted_text(name),
                                nearest.empty() ? fmt::format("the commands are {}", list_of(names))
                                                : fmt::format("write \"{}\"", nearest)));
}

exit_code run_command(command& chosen, std::span<const std::string> arguments, const console& io) {
  CLI::App options;
  chosen.declare(options);
  if (!read_arguments(options, arguments)) {
    io.out << command_help(chosen.words(), options);
    return exit_code::done;
  }
  return chosen.run(io);
}

exit_code run_program(std::span<const std::string> arguments, const console& io) {
  if (arguments.empty()) {
    io.err << program_help();
    return exit_code::invalid_input;
  }
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h") {
    io.out << program_help();
    return exit_code::done;
  }
  if (first == "--version") {
    io.out << version_line();
    return exit_code::done;
  }
  return run_command(*find_command(first), arguments.subspan(1), io);
}

/// Runs, and turns what stops it into an exit code. `say` gets the message.
template <class Say>
exit_code guarded(std::span<const std::string> arguments, const console& io, Say say) {
  try {
    return run_program(arguments, io);
  } catch (const output_error& fault) {
    return say(fault.what()), exit_code::no_output;
  } catch (const device_error& fault) {
    return say(fault.what()), exit_code::no_device;
  } catch (const out_of_memory& fault) {
    return say(fault.what()), exit_code::workload_failed;
  } catch (const error& fault) {  // arguments, budgets, artifacts, traces
    return say(fault.what()), exit_code::invalid_input;
  } catch (const std::bad_alloc&) {
    return say("this machine has not enough memory for that"), exit_code::workload_failed;
  }
}

}  // namespace

std::span<const command_maker> all_commands() { return commands; }

int run(std::span<const std::string> arguments, const console& io) {
  exit_code code = guarded(arguments, io, [&](std::string_view message) {
    io.out.flush();  // what was printed comes first where both go to one place
    io.err << "headroom: " << message << '\n';
  });
  io.out.flush();
  if (!io.out && code != exit_code::invalid_input) {
    io.err << "headroom: standard output could not be written; is the disk full?\n";
    code = exit_code::no_output;
  }
  return static_cast<int>(code);
}

}  // namespace headroom::cli
