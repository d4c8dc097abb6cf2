// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/budget.hpp>
#include <headroom/series/artifact_reader.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// What a new limit is above the highest reading: a share of it, rounded up, or a size.
struct margin_rule {
  std::string text;  ///< as written: "5%", "64 MiB", "0 B"
  std::int64_t hundredths_of_a_percent = 0;
  bytes size;

  /// @throws usage_error when it does not fit 64 bits
  [[nodiscard]] bytes above(bytes reading) const;
};
/// @throws usage_error that says what to write
[[nodiscard]] margin_rule parse_margin(std::string_view text);

/// A measured artifact and the hash of its file.
struct update_source {
  std::string file;
  std::string sha256;
  stored_artifact stored;
};

enum class update_action {
  raise,
  lower,
  keep,           ///< it is what it would become
  not_asked,      ///< it would have to be raised, and was not named
  from_envelope,  ///< it is the envelope: the reserve has to be changed
  not_measured    ///< a reading is missing
};

/// What becomes of one upper limit.
struct limit_change {
  std::string pointer;  ///< of the limit: "/limits/allocated_peak"
  int line = 0;
  std::string what;  ///< "allocated peak", "allocated peak of update"
  std::optional<bytes> from;
  std::optional<bytes> reading;  ///< the highest of all artifacts
  std::optional<bytes> to;
  update_action action = update_action::keep;
  std::string phase;       ///< of the highest reading
  std::size_t source = 0;  ///< index of the artifact with the highest reading
};

/// What is asked of an update.
struct update_request {
  margin_rule margin;
  std::vector<std::string> named;  ///< counters, or pointers of limits, that may be raised; when it
                                   ///< is empty, limits are lowered only
  std::string reason;
  std::string date;  ///< UTC
};

/// The upper limits that the artifacts have readings for, in the order of the file. Limits that
/// were not named are never raised, and when some are named the others are left alone.
/// @throws usage_error when a series is not of the budget's workload, did not run whole, or the
/// series are of different kinds; or when a name is that of no limit
[[nodiscard]] std::vector<limit_change> plan_update(const budget& of,
                                                    std::span<const update_source> sources,
                                                    const update_request& request);

/// The budget's text with the changes and their history. All else keeps its form.
/// @throws budget_error when the text would not be a valid budget
[[nodiscard]] std::string updated_text(const budget& of, std::span<const update_source> sources,
                                       const update_request& request,
                                       std::span<const limit_change> changes);

/// For people: a row for each limit, then the lines that differ.
[[nodiscard]] std::string update_text(const budget& of, std::span<const update_source> sources,
                                      const update_request& request,
                                      std::span<const limit_change> changes,
                                      std::string_view new_text);

}  // namespace headroom
