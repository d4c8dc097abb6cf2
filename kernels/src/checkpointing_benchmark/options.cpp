// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <headroom/benchmark/memory_pass.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <optional>
#include <string_view>

namespace headroom::kernels {
namespace {

std::string variable(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

std::int64_t number(std::string_view flag, std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [read_to, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc() && read_to == end) return value;
  throw usage_error(
      fmt::format("{}{}: not a whole number; write {}16, for example", flag, text, flag));
}

std::vector<std::string> items(std::string_view flag, std::string_view text) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string item(text.substr(begin, end - begin));
    if (item.empty()) {
      throw usage_error(
          fmt::format("{}{}: an empty entry; write entries with one comma between", flag, text));
    }
    if (std::find(all.begin(), all.end(), item) == all.end()) all.push_back(std::move(item));
    begin = end + 1;
  }
  return all;
}

/// The value behind "--name=", where the argument is that.
std::optional<std::string_view> value_of(std::string_view argument, std::string_view flag) {
  if (!argument.starts_with(flag)) return std::nullopt;
  return argument.substr(flag.size());
}

void read_argument(std::string_view argument, checkpointing_options& into) {
  if (argument == "--help" || argument == "-h") {
    into.help = true;
  } else if (const auto device = value_of(argument, "--device=")) {
    into.device = parse_device_request(*device);
  } else if (const auto policies = value_of(argument, "--policies=")) {
    into.policies = items("--policies=", *policies);
  } else if (const auto layers = value_of(argument, "--layers=")) {
    into.layers.clear();
    for (const std::string& each : items("--layers=", *layers)) {
      into.layers.push_back(number("--layers=", each));
    }
  } else if (const auto batch = value_of(argument, "--batch=")) {
    into.batch = number("--batch=", *batch);
  } else if (const auto context = value_of(argument, "--context=")) {
    into.context = number("--context=", *context);
  } else if (const auto width = value_of(argument, "--width=")) {
    into.width = number("--width=", *width);
  } else if (const auto dtype = value_of(argument, "--dtype=")) {
    into.dtype = *dtype;
  } else if (const auto folder = value_of(argument, "--artifacts=")) {
    into.artifact_folder = *folder;
  } else if (argument.starts_with("--benchmark_") || argument.starts_with("--v=")) {
    if (const auto output = value_of(argument, "--benchmark_out=")) into.output = *output;
    if (argument.starts_with("--benchmark_format=")) into.own_table = false;
    into.for_benchmark.emplace_back(argument);
  } else {
    throw usage_error(
        fmt::format("{}: there is no such argument; --help lists them", quoted_text(argument)));
  }
}

}  // namespace

workload_description checkpointing_options::training(const std::string& policy,
                                                     std::int64_t of_layers) const {
  workload_description description;
  description.name = "dense";
  description.operation = "train";
  description.revision = "1";
  description.seed = 1234;
  description.dtype = dtype;
  description.requested = {
      {"batch", batch}, {"context", context}, {"width", width}, {"layers", of_layers}};
  description.options = {{"checkpointing", policy}};
  return description;
}

checkpointing_options read_checkpointing_options(const std::vector<std::string>& arguments) {
  checkpointing_options options;
  options.device = parse_device_request(variable("HEADROOM_DEVICE", "auto"));
  options.policies = {"none", "selective", "every_layer", "every_2", "every_4", "sqrt"};
  options.layers = {8, 16};
  options.artifact_folder = default_artifact_folder();
  options.output = variable("BENCHMARK_OUT", "");  // where Google Benchmark looks too
  for (const std::string& argument : arguments) read_argument(argument, options);
  // The others are compared with it.
  std::erase(options.policies, "none");
  options.policies.insert(options.policies.begin(), "none");
  return options;
}

std::string checkpointing_help() {
  return R"(checkpointing_benchmark: what activation checkpointing saves and costs in a
training step of a dense network, policy by policy, against the policy none

  --policies=LIST  none (always runs), selective, every_layer, every_K, sqrt
  --layers=LIST    numbers of layers, for example 8,16 (the default)
  --batch=N --context=N --width=N    default 4, 256, 512
  --dtype=TYPE     float32 (default) or bfloat16
  --device=DEVICE  auto, cpu, cuda:N, plan:SIZE; default HEADROOM_DEVICE or auto
  --artifacts=DIR  default HEADROOM_ARTIFACT_DIR, or headroom-artifacts
  --benchmark_...  Google Benchmark's: --benchmark_out=FILE writes its JSON,
                   --benchmark_format=json prints it in place of the table,
                   --benchmark_min_time=SECONDS, --benchmark_repetitions=N, ...

Each row: the mean time of a warm step, the four counters (the higher of the
cold and warm memory passes, which run before time is taken), the bytes that
the allocated peak is lower than that of none, the time as a multiple of none's.

Exit codes: 0 done; 2 the device is not there; 3 the input is not valid; 4 the
output exists or cannot be written; 5 a row failed, its artifact holds why.

Example: checkpointing_benchmark --layers=16,64 --policies=every_layer,sqrt
)";
}

}  // namespace headroom::kernels
