// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <optional>
#include <string>

#include "program_series.hpp"

namespace headroom::cli {

/// What --device of `run` means.
struct run_device {
  std::string text;     ///< as written
  std::string setting;  ///< as in HEADROOM_EMULATED_CARD
  run_card card;
};

/// @param context  as in --context-bytes; absent: the card's
/// @throws usage_error with the forms there are, or the nearest card
/// @throws device_error for a real card, which is not there
[[nodiscard]] run_device read_run_device(const std::string& text,
                                         const std::optional<std::string>& context);

}  // namespace headroom::cli
