// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom {

/// Named sizes of a workload, for example batch = 2, in the order in which they were written.
class dimensions {
 public:
  using entry = std::pair<std::string, std::int64_t>;

  dimensions() = default;
  dimensions(std::initializer_list<entry> entries);

  /// Adds the dimension, or replaces its value.
  void set(std::string_view name, std::int64_t value);
  [[nodiscard]] std::optional<std::int64_t> find(std::string_view name) const;
  /// @throws usage_error that lists the dimensions there are
  [[nodiscard]] std::int64_t at(std::string_view name) const;

  [[nodiscard]] const std::vector<entry>& entries() const { return entries_; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// "batch 2, context 128, width 1024"
  [[nodiscard]] std::string text() const;

  /// Equal when they name the same values, in any order.
  friend bool operator==(const dimensions& a, const dimensions& b);

 private:
  std::vector<entry> entries_;
};

/// What is run, exactly.
struct workload_description {
  std::string name;       ///< "dense"
  std::string operation;  ///< "forward"
  std::string revision;   ///< of the model or code
  std::uint64_t seed = 0;
  std::string dtype;     ///< of weights and activations: "float32", "bfloat16"
  dimensions requested;  ///< sizes asked for
  std::vector<std::pair<std::string, std::string>>
      options;  ///< named choices, for example a policy

  [[nodiscard]] std::optional<std::string> find_option(std::string_view name) const;
  friend bool operator==(const workload_description&, const workload_description&) = default;
};

}  // namespace headroom
