// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <headroom/core/bytes.hpp>
#include <headroom/device/counter_source.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

/// One suite for every source of the four counters. A program links counter_source_suite.cpp and
/// says which sources it has.
namespace headroom::conformance {

/// A source, and the means to change what it counts.
class source_under_test {
 public:
  virtual ~source_under_test() = default;
  [[nodiscard]] virtual counter_source& source() = 0;
  /// @throws when the memory is refused
  [[nodiscard]] virtual void* allocate(bytes size) = 0;
  virtual void give_back(void* address, bytes size) = 0;
  /// Until this returns, what was given back may still be counted.
  virtual void settle() {}
  /// Whether allocate and give_back may be called by several threads at once.
  [[nodiscard]] virtual bool has_threads() const { return true; }
};

struct named_source {
  std::string name;  ///< letters and digits
  std::function<std::unique_ptr<source_under_test>()> make;
  std::string missing;  ///< why it cannot be tried here; "" when it can
};

/// For GoogleTest's messages.
inline std::ostream& operator<<(std::ostream& out, const named_source& each) {
  return out << each.name;
}

/// What the program has; defined by the program.
[[nodiscard]] std::vector<named_source> sources();

}  // namespace headroom::conformance
