// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "measuring.hpp"
#include "workload_options.hpp"

namespace headroom::cli {

/// What the commands that run series have in common: what is run, on which device, by which
/// protocol, judged by which budget.
class request_options {
 public:
  explicit request_options(const program& of) : work_(of) {}

  void declare(CLI::App& options, bool with_budget = true);
  /// @param varied  a dimension that is set later; "" for none
  /// @throws usage_error, budget_error
  [[nodiscard]] measure_request read(std::string_view varied) const;
  /// Says on the console what "auto" stands for.
  static void settle_automatic(device_request& device, const console& io);

  [[nodiscard]] bool repeats_given() const { return repeats_ || warmup_; }

  bool other_sizes = false;  ///< set by an option, or by a command that varies a dimension

 private:
  workload_options work_;
  std::string device_ = "auto";
  std::optional<std::string> allocator_;
  std::optional<std::string> warmup_;
  std::optional<std::string> repeats_;
  std::optional<std::string> budget_;
  bool empty_cache_ = false;
  bool touch_ = false;
};

}  // namespace headroom::cli
