// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <headroom/core/json_document.hpp>
#include <headroom/core/size_text.hpp>
#include <system_error>

namespace headroom {
namespace {

namespace fs = std::filesystem;

std::string why_not_regular(const fs::file_status& status) {
  switch (status.type()) {
    case fs::file_type::not_found:
      return "there is no such file; give the path of a file";
    case fs::file_type::directory:
      return "this is a directory; give the path of a file";
    case fs::file_type::regular:
      return "";
    default:
      return "this is not a regular file; give the path of a file";
  }
}

std::string too_large(std::size_t most) {
  return fmt::format("the file has more than {}; is it the right file?",
                     format_exact(bytes{static_cast<std::int64_t>(most)}));
}

/// Reads at most one byte more than `most`: a file may grow, and its size may be a lie.
std::string read_some(std::ifstream& in, std::size_t most) {
  constexpr std::size_t step = std::size_t{1} << 16;
  std::string text;
  while (in && text.size() <= most) {
    const std::size_t before = text.size();
    text.resize(before + step);
    in.read(text.data() + before, static_cast<std::streamsize>(step));
    text.resize(before + static_cast<std::size_t>(in.gcount()));
  }
  return text;
}

}  // namespace

text_file read_text_file(const fs::path& path, std::size_t most) {
  const auto refuse = [&](std::string why) {
    return text_file{std::nullopt, {{path.string(), 0, "", std::move(why)}}};
  };
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  // Asked before opening: opening a pipe would wait for its writer.
  if (status.type() == fs::file_type::none) {
    return refuse(fmt::format("cannot be read: {}", failure.message()));
  }
  if (std::string why = why_not_regular(status); !why.empty()) return refuse(std::move(why));
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return refuse(fmt::format("cannot be opened: {}", std::generic_category().message(errno)));
  std::string text = read_some(in, most);
  if (in.bad()) return refuse("reading stopped with an error");
  if (text.size() > most) return refuse(too_large(most));
  return {std::move(text), {}};
}

}  // namespace headroom
