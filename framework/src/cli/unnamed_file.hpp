// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <fstream>
#include <string_view>

namespace headroom::cli {

/// A new file without a name, which goes when it is closed.
/// @param what  for the message: "standard input"
/// @throws output_error when there can be none
[[nodiscard]] std::fstream unnamed_file(std::string_view what, std::string_view advice = "");

}  // namespace headroom::cli
