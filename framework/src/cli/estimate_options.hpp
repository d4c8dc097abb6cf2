// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/report/estimate_report.hpp>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

namespace headroom::cli {

/// What the estimates have in common: a reserve, a capacity, the form of the output.
class estimate_options {
 public:
  void declare(CLI::App& options);
  /// Prints the answer for these figures. @throws usage_error
  exit_code print(std::string of, std::string title, estimate figures, const console& io) const;

 private:
  [[nodiscard]] std::vector<reserve_item> reserve() const;

  std::vector<std::string> reserve_;
  std::optional<std::string> reserve_gib_;
  std::optional<std::string> capacity_;
  bool json_ = false;
};

inline constexpr int most_bits = 1024;

inline constexpr std::string_view estimate_exits =
    "0 done; with --capacity: it fits\n"
    "1 with --capacity: it does not fit\n"
    "3 an option is not valid\n"
    "6 with --capacity: cannot be told from this";

}  // namespace headroom::cli
