// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program_series.hpp"

namespace headroom::cli {

/// What --device of `run` means.
struct run_device {
  std::string text;     ///< as written
  std::string setting;  ///< as in HEADROOM_EMULATED_CARD; "" of cards that a driver shows
  std::vector<run_card> cards;
  int first = 0;        ///< N of cuda:N
  bool subset = false;  ///< the driver shows others too
  std::string driver;   ///< "13.0"
  [[nodiscard]] bool counted() const { return setting.empty(); }
};

/// HEADROOM_REQUIRE=cuda: nothing but a measurement may pass. @throws usage_error for another value
[[nodiscard]] bool cuda_required();

/// @param count  how many cards
/// @param context  as in --context-bytes; absent: the card's
/// @throws usage_error with the forms there are, or the nearest card
/// @throws device_error for a real card that is not there, and for an emulated driver where
/// HEADROOM_REQUIRE=cuda
[[nodiscard]] run_device read_run_device(const std::string& text, int count,
                                         const std::optional<std::string>& context);

}  // namespace headroom::cli
