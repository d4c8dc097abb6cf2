// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <headroom/core/counters.hpp>
#include <headroom/core/tag.hpp>
#include <optional>
#include <string>

namespace headroom {

/// What was held at the moment of the allocated peak: all of it read at that one moment.
struct peak_moment {
  bytes allocated;
  std::optional<bytes> reserved;
  std::optional<tag_table> by_tag;
};

/// One reading. A value that was not read is absent, never zero.
struct source_reading {
  std::array<std::optional<bytes>, counter_count> counters;
  std::optional<bytes> requested_current;
  std::optional<bytes> requested_peak;
  std::optional<peak_moment> at_allocated_peak;
  std::optional<std::int64_t> retries;      ///< give-back-and-try-again, since the source was made
  std::optional<std::int64_t> refusals;     ///< requests that failed, since the source was made
  std::optional<std::int64_t> allocations;  ///< blocks handed out, since the source was made

  std::optional<bytes>& operator[](counter_id id) { return counters[static_cast<std::size_t>(id)]; }
  const std::optional<bytes>& operator[](counter_id id) const {
    return counters[static_cast<std::size_t>(id)];
  }
};

/// What a source states about one counter.
struct counter_coverage {
  bool available = false;
  bool exact = false;  ///< false: the value is a bound
  std::string covers;  ///< "blocks of this allocator", or why it is not available
};

struct source_description {
  std::string name;
  std::array<counter_coverage, counter_count> coverage;

  counter_coverage& operator[](counter_id id) { return coverage[static_cast<std::size_t>(id)]; }
  const counter_coverage& operator[](counter_id id) const {
    return coverage[static_cast<std::size_t>(id)];
  }
};

/// Where the four counters come from.
class counter_source {
 public:
  virtual ~counter_source() = default;
  [[nodiscard]] virtual source_description describe_counters() const = 0;
  [[nodiscard]] virtual source_reading read() const = 0;
  /// Peaks restart at what is live.
  virtual void reset_peaks() = 0;
};

}  // namespace headroom
