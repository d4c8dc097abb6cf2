// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <benchmark/benchmark.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace headroom::test {

/// Runs all registered benchmarks, takes them from the register. @return Google Benchmark's JSON
inline nlohmann::json run_benchmarks_as_json() {
  benchmark::JSONReporter reporter;
  std::ostringstream out;
  std::ostringstream err;
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&err);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::ClearRegisteredBenchmarks();
  return nlohmann::json::parse(out.str());
}

/// As run_benchmarks_as_json. @return what the console shows, in one column of pairs
inline std::string run_benchmarks_as_console() {
  benchmark::ConsoleReporter reporter(benchmark::ConsoleReporter::OO_None);
  std::ostringstream out;
  std::ostringstream err;
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&err);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::ClearRegisteredBenchmarks();
  return out.str();
}

}  // namespace headroom::test
