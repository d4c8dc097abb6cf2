// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string_view>
#include <vector>

namespace headroom::detail {

/// A file of the folder cards, as it was when this was built.
struct card_text {
  std::string_view name;
  std::string_view text;
};
[[nodiscard]] const std::vector<card_text>& card_texts();

}  // namespace headroom::detail
