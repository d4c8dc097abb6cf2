// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headroom {

/// A file that has its name only when it is whole: what is appended goes to a temporary file beside
/// it, which is renamed at the end and never replaces anything.
class new_file {
 public:
  /// @param advice what to do where it cannot be written; ends the message
  /// @throws output_error when the file exists or its folder cannot be written
  explicit new_file(std::filesystem::path path,
                    std::string advice = "name a file in a folder that can be written");
  /// Leaves nothing behind of a file that was not published.
  ~new_file();
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// After a failure nothing more is written, and publish() says why.
  void append(std::string_view text) noexcept;
  /// Gives the file its name, on disk. @throws output_error, also for what went wrong before
  void publish();

 private:
  [[noreturn]] void refuse(int fault) const;

  std::filesystem::path path_;
  std::string advice_;
  std::filesystem::path folder_;
  std::filesystem::path part_;
  int descriptor_ = -1;
  int fault_ = 0;  ///< errno of the first failure
};

/// Writes a file whole or not at all: temporary file, fsync, rename that replaces nothing.
/// @param advice what to do where it cannot be written; ends the message
/// @throws output_error when the file exists or cannot be written; nothing is left behind
void write_new_file(const std::filesystem::path& path, std::string_view text,
                    std::string_view advice = "name a file in a folder that can be written");

/// Puts `text` in the place of a file that was read before, whole or not at all; its mode is kept.
/// @param read  what the file must still hold
/// @throws output_error when it holds something else by now, or cannot be written; it is then as
/// it was
void replace_file(const std::filesystem::path& path, std::string_view read, std::string_view text);

}  // namespace headroom
