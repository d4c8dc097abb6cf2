// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstring>
#include <map>
#include <vector>

#include "../abi/lt_calls.hpp"

namespace headroom::emulation::lt {

/// A descriptor is its attributes, as they were set, by number. Not shared between threads without
/// the program's own lock, as cuBLASLt's are not.
struct descriptor {
  std::map<int, std::vector<char>> attributes;

  template <class Value>
  void put(int attribute, const Value& value) {
    const auto* const bytes = reinterpret_cast<const char*>(&value);
    attributes[attribute].assign(bytes, bytes + sizeof value);
  }
  /// @return `otherwise` where it was not set, or set in another size
  template <class Value>
  [[nodiscard]] Value get(int attribute, Value otherwise) const {
    const auto found = attributes.find(attribute);
    if (found == attributes.end() || found->second.size() != sizeof(Value)) return otherwise;
    Value value;
    std::memcpy(&value, found->second.data(), sizeof value);
    return value;
  }
};

}  // namespace headroom::emulation::lt

struct headroom_lt_matmul : headroom::emulation::lt::descriptor {};
struct headroom_lt_layout : headroom::emulation::lt::descriptor {};
struct headroom_lt_preference : headroom::emulation::lt::descriptor {};
