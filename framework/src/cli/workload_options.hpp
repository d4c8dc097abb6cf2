// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/core/workload_description.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"

namespace headroom::cli {

/// What is run, as options: --workload, --operation, --dtype, --seed, and one for each dimension
/// and choice of the program's workloads.
class workload_options {
 public:
  explicit workload_options(const program& of) : program_(of) {}

  /// @throws usage_error when a workload names a dimension as the program names an option
  void declare(CLI::App& options);

  /// @param against  a budget fills in what is not given, and what is given must be what it says
  /// @param other_sizes  dimensions may differ from the budget's
  /// @param varied   a dimension that is set later; "" for none
  /// @throws usage_error with the option that is missing or wrong
  [[nodiscard]] workload_description describe(const budget* against, bool other_sizes,
                                              std::string_view varied) const;

 private:
  [[nodiscard]] const workload_entry& chosen(const budget* against) const;
  void set_dimensions(const workload_entry& entry, std::string_view varied,
                      workload_description& work) const;
  void set_choices(const workload_entry& entry, workload_description& work) const;
  void agree(const workload_description& work, const budget& against, bool other_sizes) const;

  const program& program_;
  std::optional<std::string> workload_;
  std::optional<std::string> operation_;
  std::optional<std::string> dtype_;
  std::optional<std::string> seed_;
  // In the order in which they are declared; a map's elements stay where they are.
  std::map<std::string, std::optional<std::string>> dimensions_;
  std::map<std::string, std::optional<std::string>> choices_;
};

/// The same as arguments, for a fresh process.
[[nodiscard]] std::vector<std::string> workload_arguments(const workload_description& work);

}  // namespace headroom::cli
