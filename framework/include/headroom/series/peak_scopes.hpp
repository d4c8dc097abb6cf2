// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <headroom/device/counter_source.hpp>
#include <vector>

namespace headroom {

/// Nested peaks over a source that can only reset: an inner scope's reset loses nothing of the
/// outer scope's peak.
class peak_scopes {
 public:
  explicit peak_scopes(counter_source& source) : source_(&source) {}

  /// Begins a scope inside the open ones. @return the levels at its begin
  source_reading open();
  /// Ends the innermost scope. @return levels now, peaks since its begin, inner scopes included
  /// @throws usage_error when no scope is open
  source_reading close();
  [[nodiscard]] std::size_t depth() const { return open_.size(); }

 private:
  counter_source* source_;
  std::vector<source_reading> open_;  // what was seen of each open scope before the last reset
};

}  // namespace headroom
