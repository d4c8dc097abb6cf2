// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headroom {

/// What artifact_file leaves on disk while a series runs, and for good when it is killed.
struct start_record {
  std::string id;
  std::string created;  ///< UTC
  std::string test;     ///< "" outside of a test
  std::string device;   ///< device id
  std::int64_t process = 0;
  std::optional<std::string> budget;  ///< path of the budget file
  std::string artifact;               ///< name of the file that was to be written beside it
};

/// @throws artifact_error with every fault of the file, one a line
[[nodiscard]] start_record read_start_record(const std::filesystem::path& file);

}  // namespace headroom
