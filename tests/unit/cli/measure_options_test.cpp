// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// What the options of measure refuse. sweep, boundary and budget new read the same ones.

#include <gmock/gmock.h>

#include "run_headroom.hpp"
#include "support/golden.hpp"

namespace headroom::cli {
namespace {

using test::expect_golden;

TEST(MeasureOptions, EveryWrongOneSaysWhatToWrite) {
  std::string all;
  const std::vector<std::string> numbers{"--batch",  "--context", "--seed",
                                         "--warmup", "--repeats", "--processes"};
  for (const std::string& option : numbers) {
    for (const char* const wrong :
         {"nan", "inf", "-1", "1e3", "1.5", "2x", " 2", "", "99999999999999999999"}) {
      std::vector<std::string> arguments{"--workload", "dense",    "--width",  "16",   "--layers",
                                         "2",          "--device", "plan:1GB", option, wrong};
      if (option != "--batch") arguments.insert(arguments.end(), {"--batch", "1"});
      if (option != "--context") arguments.insert(arguments.end(), {"--context", "8"});
      all += refusal("measure", arguments);
    }
  }
  const auto with = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> arguments = small_dense;
    arguments.insert(arguments.end(), more);
    all += refusal("measure", arguments);
  };
  with({"--device", "gpu"});
  with({"--device", "plan:24"});
  with({"--device", "plan:nanGB"});
  with({"--device", "cpu:0GB"});
  with({"--device", "cuda:-1"});
  with({"--device", "cuda:99999999999"});
  with({"--allocator", "expandible_segments:True"});
  with({"--allocator", "max_split_size_mb:inf"});
  with({"--operation", "froward"});
  with({"--dtype", "float31"});
  with({"--microbatches", "2", "--device", "plan:1GB"});
  with({"--optimizer", "adamw", "--device", "plan:1GB"});
  with({"--batchh", "2"});
  with({"--other-sizes"});
  with({"extra"});
  all += refusal("measure", {"--workload", "dnese"});
  all += refusal("measure", {"--workload", "dense", "--batch", "1"});
  all += refusal("measure", {"--budget", "/nowhere.json"});
  expect_golden("cli/measure_wrong_options.txt", all);
}

}  // namespace
}  // namespace headroom::cli
