// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <functional>
#include <headroom/core/budget.hpp>
#include <headroom/core/workload_description.hpp>
#include <headroom/series/workload.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// A size that a workload takes. On the command line: --batch N for "batch".
struct dimension_entry {
  std::string name;
  std::string what;      ///< for the help: "sequences of one pass"
  bool required = true;  ///< whether a description without it is refused
};

/// A named choice that a workload takes. On the command line: --learning-rate for "learning_rate".
struct option_entry {
  std::string name;
  std::string what;  ///< for the help, with the default
};

/// A workload that programs know by name.
struct workload_entry {
  std::string name;
  std::string what;  ///< for the help, one line
  std::string revision = "1";
  std::vector<std::string> operations;  ///< the first is taken when none is given
  std::vector<std::string> dtypes;      ///< as operations
  std::vector<dimension_entry> dimensions;
  std::vector<option_entry> options;
  /// @throws usage_error with what the workload does not accept
  std::function<std::unique_ptr<workload>(const workload_description&)> make;
  /// What the weights are made of, for a new budget; may be empty.
  std::function<std::vector<weight_group>(const workload_description&)> weights;
};

/// The workloads of a program. A team adds its own and gets the same command line.
class workload_registry {
 public:
  /// @throws usage_error for an entry without name, operation, dtype or make, for a name that is
  /// taken, and for names of dimensions and options other than a-z, 0-9 and _
  void add(workload_entry entry);

  [[nodiscard]] const std::vector<workload_entry>& entries() const { return entries_; }
  [[nodiscard]] std::vector<std::string_view> names() const;
  /// @throws usage_error with the nearest name, or those there are
  [[nodiscard]] const workload_entry& at(std::string_view name) const;
  /// @throws usage_error as at(), or as the entry's make
  [[nodiscard]] std::unique_ptr<workload> make(const workload_description& description) const;

 private:
  std::vector<workload_entry> entries_;
};

}  // namespace headroom
