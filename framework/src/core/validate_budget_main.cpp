// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <string_view>
#include <vector>

namespace {

using namespace headroom::literals;
using headroom::budget;
using headroom::bytes;
using headroom::counter_id;
using headroom::limit_set;

constexpr int valid = 0;
constexpr int not_valid = 3;

constexpr std::string_view usage =
    "usage: headroom-validate-budget [--print-vram-mib] FILE...\n"
    "\n"
    "Reads budget files. Prints every fault, one a line: FILE:LINE: POINTER: MESSAGE.\n"
    "\n"
    "  --print-vram-mib  print for each file what a test with that budget needs of a device, in\n"
    "                    MiB, at least 1: the largest of its envelope and its limits of\n"
    "                    reserved_peak, of every device that it names\n"
    "\n"
    "exit: 0 every file is valid, 3 a file or an argument is not\n";

/// The largest upper bound of a counter in the limits of whole passes; 0 when there is none.
bytes largest_bound(const budget& resolved, counter_id counter) {
  bytes largest;
  for (const limit_set* set : {&resolved.limits, &resolved.cold_limits, &resolved.warm_limits}) {
    const auto& each = (*set)[counter];
    if (each && each->at_most) largest = std::max(largest, *each->at_most);
  }
  return largest;
}

bytes need_of(const budget& resolved) {
  bytes reserved = largest_bound(resolved, counter_id::reserved_peak);
  // Where reserved_peak is waived, what may be allocated is the least that is needed.
  if (reserved == 0_B) reserved = largest_bound(resolved, counter_id::allocated_peak);
  return std::max(reserved, resolved.envelope());
}

/// On the most demanding of the devices that the budget knows: which one a test gets is not known.
std::int64_t vram_mib(const budget& read) {
  bytes need = need_of(read.for_device("", ""));
  for (const auto& device : read.per_device) {
    need = std::max(need, need_of(read.for_device(device.device, device.device)));
  }
  return std::max<std::int64_t>(1, need.n / (1_MiB).n + (need.n % (1_MiB).n > 0 ? 1 : 0));
}

bool validate(std::string_view file, bool print_vram) {
  try {
    const budget read = headroom::read_budget(file);
    if (print_vram) fmt::print("{}\n", vram_mib(read));
    return true;
  } catch (const headroom::budget_error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return false;
  }
}

int run(const std::vector<std::string_view>& arguments) {
  bool print_vram = false;
  bool options = true;
  std::vector<std::string_view> files;
  for (const std::string_view argument : arguments) {
    if (!options || !argument.starts_with('-') || argument == "-") {
      files.push_back(argument);
    } else if (argument == "--help" || argument == "-h") {
      fmt::print("{}", usage);
      return valid;
    } else if (argument == "--print-vram-mib") {
      print_vram = true;
    } else if (argument == "--") {
      options = false;
    } else {
      fmt::print(stderr, "unknown option {}; write --print-vram-mib, --help or a file\n",
                 headroom::quoted_text(argument));
      return not_valid;
    }
  }
  if (files.empty()) {
    fmt::print(stderr, "no budget file; write one or more\n{}", usage);
    return not_valid;
  }
  bool all_valid = true;
  for (const std::string_view file : files) all_valid &= validate(file, print_vram);
  return all_valid ? valid : not_valid;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "headroom-validate-budget: %s\n", error.what());
    return not_valid;
  }
}
