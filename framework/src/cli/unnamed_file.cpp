// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "unnamed_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <headroom/core/error.hpp>
#include <system_error>

namespace headroom::cli {

std::fstream unnamed_file(std::string_view what, std::string_view advice) {
  const auto refuse = [&](int code) {
    throw output_error(fmt::format("{} cannot be kept in a temporary file: {}{}{}", what,
                                   std::generic_category().message(code),
                                   advice.empty() ? "" : "; ", advice));
  };
  std::string path = (std::filesystem::temp_directory_path() / "headroom-XXXXXX").string();
  const int made = ::mkstemp(path.data());
  if (made < 0) refuse(errno);
  ::close(made);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const int code = errno;
  ::unlink(path.c_str());
  if (!file) refuse(code);
  return file;
}

}  // namespace headroom::cli
