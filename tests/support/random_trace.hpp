// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/trace_reader.hpp>
#include <string>
#include <utility>
#include <vector>

/// A trace as the comparison runs it. Ids are indices: 0, 1, 2 ... in the order of allocation.
struct live_trace {
  headroom::bytes capacity;
  std::vector<std::pair<std::string, std::string>> settings;  ///< name and value
  std::vector<headroom::trace_event> events;

  /// "NAME:VALUE,NAME:VALUE"
  [[nodiscard]] std::string settings_text() const;
  /// In the format of docs/trace-format.md.
  [[nodiscard]] std::string text() const;
};

/// Settings, capacity, sizes, streams and habits of a program, all drawn from the seed. Sizes
/// cluster around the thresholds of the rules, and repeat.
[[nodiscard]] live_trace random_trace(std::uint64_t seed);
