// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/error.hpp>
#include <headroom/report/boundary_search.hpp>
#include <optional>
#include <string>
#include <vector>

#include "points.hpp"

namespace headroom::cli {

/// Where the border of one dimension was looked for.
struct boundary_question {
  measure_request request;  ///< without the varied dimension
  std::string dimension;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::filesystem::path folder;           ///< for the artifacts of the neighbours
  std::optional<device_request> confirm;  ///< runs the two neighbours too
};

/// One of the two neighbours of the border, with its artifacts.
struct boundary_neighbour {
  std::int64_t value = 0;
  bool fits = false;                     ///< as searched
  fresh_point planned;                   ///< in a fresh process on the plan device
  std::optional<fresh_point> confirmed;  ///< on the device that confirms
};

struct boundary_answer {
  boundary_question asked;
  boundary_search search;
  std::vector<boundary_neighbour> neighbours;  ///< the largest that fits, the smallest that fails
  /// Every neighbour ended in its fresh process, and on the device that confirms, as searched.
  [[nodiscard]] bool agrees() const;
};

/// Whether a series fits: it ran whole, and within its budget where it has one.
/// @throws error when nothing can be said: a reading is missing, the meter did not prove itself,
/// the workload failed for another reason than memory
[[nodiscard]] bool fits_device(const series_record& series, const verdict& result);

/// @throws usage_error when the workload refuses a value
[[nodiscard]] boundary_answer answer_boundary(const program& of, const console& io,
                                              boundary_question question);

/// For people, at most 80 columns wide.
[[nodiscard]] std::string boundary_text(const boundary_answer& answer);
/// One JSON document (`headroom-boundary/1`).
[[nodiscard]] std::string boundary_json(const boundary_answer& answer);

/// A value about which nothing can be said: exit code 6.
class unknown_error : public error {
 public:
  using error::error;
};

}  // namespace headroom::cli
