// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "artifact_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <string_view>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view start_ending = ".started.json";

/// The artifact that a start record announces.
fs::path artifact_of(const fs::path& start) {
  std::string name = start.filename().string();
  name.resize(name.size() - start_ending.size());
  return start.parent_path() / (name + ".json");
}

}  // namespace

bool is_start(const fs::path& file) { return file.filename().string().ends_with(start_ending); }

std::vector<fs::path> artifact_paths(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (!fs::exists(status)) {
      throw usage_error(fmt::format("{}: there is no such file or folder", path));
    }
    if (!fs::is_directory(status)) {
      files.emplace_back(path);
      continue;
    }
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.path().extension() == ".json" && entry.is_regular_file()) {
        found.push_back(entry.path());
      }
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  std::erase_if(
      files, [](const fs::path& file) { return is_start(file) && fs::exists(artifact_of(file)); });
  if (files.empty()) {
    throw usage_error(fmt::format(
        "no artifact in {}; run a budget test, or name the folder of HEADROOM_ARTIFACT_DIR",
        quoted_text(paths.front())));
  }
  return files;
}

}  // namespace headroom::cli
