// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/estimate.hpp>
#include <optional>
#include <string>

namespace headroom {

/// What `headroom estimate` answers.
struct estimate_answer {
  std::string of;     ///< "weights", "kv_cache", "training"
  std::string title;  ///< one line for people
  estimate figures;
  bool has_reserve = false;
  std::optional<bytes> capacity;  ///< that the figure is held against
  std::string capacity_text;      ///< as it was written

  /// Absent without a capacity.
  [[nodiscard]] std::optional<capacity_answer> answer() const;
};

/// For people, at most 80 columns wide: bytes, GB and GiB apart, each term with its formula.
[[nodiscard]] std::string estimate_text(const estimate_answer& answer);

/// One JSON document (`headroom-estimate/1`). Figures in GB and GiB are texts of two decimals.
[[nodiscard]] std::string estimate_json(const estimate_answer& answer);

}  // namespace headroom
