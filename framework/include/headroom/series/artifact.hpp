// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/core/budget.hpp>
#include <headroom/series/series_record.hpp>
#include <headroom/series/verdict.hpp>
#include <string>
#include <string_view>

namespace headroom {

inline constexpr std::string_view artifact_schema_id = "headroom-artifact/1";
inline constexpr std::string_view start_schema_id = "headroom-start/1";

/// The artifact's text: strict JSON, bytes as integers, null for what was not measured.
/// @param against the budget that the verdict came from, or null
[[nodiscard]] std::string artifact_text(const series_record& series, const verdict& result,
                                        const budget* against);

/// The file of one series. Made before the workload starts: a start record is then on disk, so that
/// a killed run shows up as started and unfinished.
class artifact_file {
 public:
  /// Writes FOLDER/NAME.started.json. The name gets device, time, process and a random part, so
  /// that parallel runs cannot meet. The folder is made where it is not there.
  /// @throws output_error when the folder cannot be written, with what to do
  artifact_file(const std::filesystem::path& folder, std::string_view test, std::string_view device,
                const budget* against);

  /// As above, for an artifact whose path was chosen, PATH.json or PATH; the start record is
  /// PATH.started.json. @throws output_error also when the artifact exists, or is a folder
  [[nodiscard]] static artifact_file at(const std::filesystem::path& path, std::string_view test,
                                        std::string_view device, const budget* against);

  /// Writes FOLDER/NAME.json whole or not at all, and takes the start record away.
  /// @throws output_error when it cannot be written or exists; then the start record stays
  void finish(const series_record& series, const verdict& result, const budget* against);

  /// Takes the start record away: nothing was started.
  void withdraw();

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::filesystem::path& start_path() const { return start_path_; }

  /// Where the start record of an artifact is, by its path.
  [[nodiscard]] static std::filesystem::path start_path_of(const std::filesystem::path& artifact);

 private:
  artifact_file() = default;
  void write_start(std::string_view test, std::string_view device, const budget* against,
                   const std::string& created) const;

  std::string advice_;
  std::string id_;
  std::filesystem::path path_;
  std::filesystem::path start_path_;
};

/// The text as a part of a file's name: names of tests and devices hold '/', ':' and what else
/// people think of.
[[nodiscard]] std::string file_name_part(std::string_view text);

/// Lower-case hexadecimal.
[[nodiscard]] std::string sha256_of(std::string_view text);

}  // namespace headroom
