// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <string>
#include <vector>

namespace headroom::cli {

/// A card as the driver describes it.
struct surveyed_card {
  std::string name;
  std::string identifier;  ///< "GPU-...", as nvidia-smi shows it
  std::string capability;  ///< "8.9"
  bytes capacity;
};

struct card_survey {
  std::vector<surveyed_card> cards;
  std::string driver;     ///< "13.0", the newest CUDA that it serves
  bool emulated = false;  ///< the driver is an emulated one
  std::string missing;    ///< why there is no card, "" where there is one
};

/// Asks the CUDA driver which cards there are, as CUDA_VISIBLE_DEVICES shows them. In a process of
/// its own: a driver, once begun, stays. No context is made.
[[nodiscard]] card_survey survey_cards();

}  // namespace headroom::cli
