// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::cli {

/// One dimension and the values that it takes, in their order.
struct variation {
  std::string name;
  std::vector<std::int64_t> values;
};

/// "batch=1,2,4", "batch=1..64*2" (times 2), "batch=8..64+8" (plus 8), "batch=1..8", and lists of
/// such. @throws usage_error with what was found and what to write
[[nodiscard]] variation parse_variation(std::string_view text);

/// Makes the folder where it is not there. @throws output_error when it is a file, or cannot be
/// made
void require_folder(const std::filesystem::path& folder);

/// FOLDER/batch-4.json
[[nodiscard]] std::filesystem::path point_path(const std::filesystem::path& folder,
                                               std::string_view dimension, std::int64_t value);

}  // namespace headroom::cli
