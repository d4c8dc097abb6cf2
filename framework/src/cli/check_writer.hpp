// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/cli/console.hpp>
#include <headroom/series/artifact_reader.hpp>
#include <headroom/series/start_record.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace headroom::cli {

/// One artifact that was judged again.
struct checked_artifact {
  const std::filesystem::path& file;
  const stored_artifact& stored;
  const verdict& result;  ///< by the budget that was given
  const budget& against;
};

/// How many artifacts ended in which way, in words.
using check_totals = std::map<std::string, int>;

/// One form of output of `check`. Each artifact is written when it has been judged, and forgotten.
class check_writer {
 public:
  virtual ~check_writer() = default;
  virtual void begin(const budget& against) = 0;
  virtual void artifact(const checked_artifact& each) = 0;
  /// @param message  every fault of the file, one a line
  virtual void unreadable(const std::filesystem::path& file, std::string_view message) = 0;
  virtual void unfinished(const std::filesystem::path& file, const start_record& started) = 0;
  virtual void end(const check_totals& totals) = 0;
};

/// @param format  one of check_formats
[[nodiscard]] std::unique_ptr<check_writer> make_check_writer(std::string_view format,
                                                              std::ostream& out);
[[nodiscard]] std::unique_ptr<check_writer> make_junit_writer(std::ostream& out);

inline constexpr std::array<std::string_view, 5> check_formats{"text", "json", "github", "junit",
                                                               "tap"};

/// Why an artifact is not green, in lines that are safe to print. "" when it is.
[[nodiscard]] std::string check_failure(const checked_artifact& each);
/// "FILE: within budget, 9 limits kept"
[[nodiscard]] std::string check_line(const checked_artifact& each);

}  // namespace headroom::cli
