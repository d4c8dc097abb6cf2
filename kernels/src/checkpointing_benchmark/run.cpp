// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <headroom/benchmark/device_memory_manager.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/new_file.hpp>
#include <headroom/report/words.hpp>
#include <ostream>

#include "options.hpp"
#include "reporters.hpp"
#include "row.hpp"

namespace headroom::kernels {
namespace {

enum exit_code { done = 0, no_device = 2, invalid_input = 3, no_output = 4, row_failed = 5 };

using shared_rows = std::vector<std::shared_ptr<checkpointing_row>>;

/// @throws device_error when a GPU is required and it is none
std::unique_ptr<device> open(const device_request& request) {
  std::unique_ptr<device> on = open_device(request);
  const char* const required = std::getenv("HEADROOM_REQUIRE");
  if (required != nullptr && std::string_view(required) == "cuda" &&
      on->info().kind != device_kind::cuda) {
    throw device_error(
        fmt::format("HEADROOM_REQUIRE=cuda, and the device is {}; nothing was "
                    "measured",
                    on->info().id));
  }
  return on;
}

/// "batch 4, context 256, width 512": what all rows have in common.
std::string sizes_of(const checkpointing_options& options) {
  dimensions sizes;
  const workload_description training = options.training("", 0);
  for (const auto& [name, size] : training.requested.entries()) {
    if (name != "layers") sizes.set(name, size);
  }
  return sizes.text();
}

std::string title_of(const checkpointing_options& options, device& on) {
  const std::string_view standing = standing_words(on.info().prediction());
  std::string text = fmt::format(
      "Activation checkpointing in a training step of a dense network, {}:\n{}\ndevice {} {}: {}\n",
      options.dtype, sizes_of(options), on.info().id, on.info().name, standing);
  text += on.computes() ? "Time is the mean of warm steps; bytes are the higher of cold and warm "
                          "passes.\n\n"
                        : "No work was done: time is not measured.\n\n";
  return text;
}

shared_rows make_rows(const checkpointing_options& options, device& on) {
  shared_rows rows;
  for (const std::int64_t layers : options.layers) {
    std::shared_ptr<checkpointing_row> none;  // the first of the policies
    for (const std::string& policy : options.policies) {
      rows.push_back(std::make_shared<checkpointing_row>(on, options, policy, layers, none));
      if (!none) none = rows.back();
    }
  }
  return rows;
}

/// Google Benchmark keeps a pointer to the program's name, and takes arguments that can be changed.
/// @throws usage_error for those that it does not know
void initialize_google_benchmark(std::vector<std::string> arguments) {
  static std::string program = "checkpointing_benchmark";
  std::vector<char*> all{program.data()};
  for (std::string& each : arguments) all.push_back(each.data());
  int count = static_cast<int>(all.size());
  all.push_back(nullptr);
  ::benchmark::Initialize(&count, all.data());
  if (count > 1) {
    throw usage_error(fmt::format("{}: Google Benchmark has no such argument", all[1]));
  }
}

/// Runs what is registered. @return how many rows ran
std::size_t report(const checkpointing_options& options, const shared_rows& rows, device& on,
                   std::ostream& out, std::ostream& err) {
  const collecting_reporter::rows known(rows.begin(), rows.end());
  std::unique_ptr<::benchmark::BenchmarkReporter> display;
  if (options.own_table) {
    display = std::make_unique<table_reporter>(known, title_of(options, on));
  } else {
    display =
        std::make_unique<marking_reporter>(known, std::unique_ptr<::benchmark::BenchmarkReporter>(
                                                      ::benchmark::CreateDefaultDisplayReporter()));
  }
  display->SetOutputStream(&out);
  display->SetErrorStream(&err);
  if (options.output.empty()) return ::benchmark::RunSpecifiedBenchmarks(display.get());
  marking_reporter file(known, std::make_unique<::benchmark::JSONReporter>());
  return ::benchmark::RunSpecifiedBenchmarks(display.get(), &file);
}

int run_rows(const checkpointing_options& options, std::ostream& out, std::ostream& err,
             bool terminal) {
  const std::unique_ptr<device> on = open(options.device);
  initialize_google_benchmark(options.for_benchmark);
  // Reserves the name: Google Benchmark would write over a file that is there.
  if (!options.output.empty()) write_new_file(options.output, "");
  device_memory_manager manager(*on);
  const shared_rows rows = make_rows(options, *on);
  ::benchmark::RegisterMemoryManager(&manager);
  for (const auto& row : rows) {
    ::benchmark::RegisterBenchmark(row->name().c_str(),
                                   [row, terminal, &err](::benchmark::State& state) {
                                     if (terminal) err << "\r" << row->name() << "\033[K";
                                     row->run(state);
                                   })
        ->UseManualTime()
        ->Unit(::benchmark::kMillisecond);
  }
  ::benchmark::AddCustomContext(
      "headroom_workload",
      fmt::format("training step of a dense network, {}: {}", options.dtype, sizes_of(options)));
  ::benchmark::AddCustomContext("headroom_device", on->info().id + " " + on->info().name);
  const std::size_t ran = report(options, rows, *on, out, err);
  if (terminal) err << "\r\033[K";
  ::benchmark::RegisterMemoryManager(nullptr);
  ::benchmark::ClearRegisteredBenchmarks();
  if (ran == 0) {
    std::error_code ignored;
    if (!options.output.empty()) std::filesystem::remove(options.output, ignored);
    throw usage_error("no row was run; give a --benchmark_filter that matches some");
  }
  int code = done;
  for (const auto& row : rows) {
    if (row->refused()) return invalid_input;
    if (!row->failure().empty()) code = row_failed;
  }
  return code;
}

}  // namespace

int run_checkpointing_benchmark(const std::vector<std::string>& arguments, std::ostream& out,
                                std::ostream& err, bool terminal) {
  const auto fail = [&](const error& problem, exit_code code) {
    err << "checkpointing_benchmark: " << problem.what() << "\n";
    return code;
  };
  try {
    const checkpointing_options options = read_checkpointing_options(arguments);
    if (options.help) {
      out << checkpointing_help();
      return done;
    }
    return run_rows(options, out, err, terminal);
  } catch (const device_error& problem) {
    return fail(problem, no_device);
  } catch (const output_error& problem) {
    return fail(problem, no_output);
  } catch (const error& problem) {
    return fail(problem, invalid_input);
  }
}

}  // namespace headroom::kernels
