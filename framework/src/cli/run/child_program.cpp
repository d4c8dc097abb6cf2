// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "child_program.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <sstream>
#include <system_error>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

fs::path search(const std::string& command) {
  if (command.find('/') != std::string::npos) {
    if (is_program(command)) return command;
    std::error_code ignored;
    std::string_view why = "no such file";
    if (fs::is_directory(command, ignored)) {
      why = "a folder, not a program; write the program's file";
    } else if (fs::exists(command, ignored)) {
      why = "not a program that may be started; name its interpreter before it (python train.py)";
    }
    throw usage_error(fmt::format("{}: {}", quoted_text(command), why));
  }
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / command;
    if (is_program(file)) return file;
  }
  throw usage_error(fmt::format("{}: no such command in PATH", quoted_text(command)));
}

[[noreturn]] void refuse(const fs::path& file, std::string_view what, std::string_view advice) {
  throw usage_error(fmt::format("{} {}, so that no library can be put under it; {}", file.string(),
                                what, advice));
}

/// A file that brings rights of its own, which make the loader forget what was put before.
bool has_capabilities(const fs::path& file) {
  return ::getxattr(file.c_str(), "security.capability", nullptr, 0) > 0;
}

/// The path in an ELF file's PT_INTERP, "" where it has none.
std::string loader_of(std::ifstream& in, const Elf64_Ehdr& header) {
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    in.seekg(static_cast<std::streamoff>(header.e_phoff) + i * std::streamoff{header.e_phentsize});
    in.read(reinterpret_cast<char*>(&part), sizeof part);
    if (!in || part.p_type != PT_INTERP || part.p_filesz > 4096) continue;
    std::string text(part.p_filesz, '\0');
    in.seekg(static_cast<std::streamoff>(part.p_offset));
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    return text.substr(0, text.find('\0'));
  }
  return "";
}

void check(const fs::path& file, int depth);

/// "#!/usr/bin/env python3": what starts the script is checked in its place.
void check_script(const fs::path& file, const std::string& line, int depth) {
  if (line.ends_with('\r')) {
    throw usage_error(fmt::format(
        "{}: its first line ends as lines of Windows do, so that its interpreter is not found; "
        "convert it (dos2unix)",
        file.string()));
  }
  std::istringstream words(line);
  std::string interpreter;
  std::string argument;
  words >> interpreter >> argument;
  if (interpreter.empty() || depth > 4) return;
  const bool by_name = fs::path(interpreter).filename() == "env" && !argument.empty() &&
                       argument.front() != '-' && argument.find('=') == std::string::npos;
  const fs::path next = by_name ? search(argument) : fs::path(interpreter);
  if (!is_program(next)) {
    throw usage_error(
        fmt::format("{}: its interpreter {} is not there", file.string(), next.string()));
  }
  check(next, depth + 1);
}

void check(const fs::path& file, int depth) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) == 0 && (facts.st_mode & (S_ISUID | S_ISGID)) != 0 &&
      (facts.st_uid != ::geteuid() || (facts.st_mode & S_ISGID) != 0)) {
    refuse(file, "runs with another user's or group's rights (setuid)",
           "run what it starts, as that user");
  }
  if (has_capabilities(file) && ::geteuid() != 0) {  // root gains nothing by them
    refuse(file, "runs with rights of its own (file capabilities, see getcap)",
           "run a copy of it, which has none");
  }
  std::ifstream in(file, std::ios::binary);
  Elf64_Ehdr header{};
  in.read(reinterpret_cast<char*>(&header), sizeof header);
  const auto* const bytes = reinterpret_cast<const char*>(&header);
  if (in.gcount() >= 2 && bytes[0] == '#' && bytes[1] == '!') {
    in.clear();
    in.seekg(2);
    std::string line;
    std::getline(in, line);
    return check_script(file, line, depth);
  }
  if (in.gcount() < EI_NIDENT || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return;
  if (header.e_ident[EI_CLASS] != ELFCLASS64) {
    refuse(file, "is a program of 32 bits", "build it for 64 bits");
  }
  if (in.gcount() < static_cast<std::streamsize>(sizeof header)) return;
  const std::string loader = loader_of(in, header);
  if (loader.empty()) {
    refuse(file, "is linked statically", "link it to shared libraries: those of CUDA are replaced");
  }
  if (loader.find("ld-musl") != std::string::npos) {
    refuse(file, "is a program for musl", "the emulated libraries are for glibc: build it there");
  }
}

}  // namespace

fs::path find_program(const std::string& command) {
  fs::path file = search(command);
  check(file, 0);
  return file;
}

fs::path emulation_folder(const std::string& executable) {
  std::error_code ignored;
  const char* const set = std::getenv("HEADROOM_EMULATION_FOLDER");
  std::vector<fs::path> places;
  if (set != nullptr && *set != '\0') {
    places.emplace_back(set);
  } else {
    const fs::path folder = fs::canonical(executable, ignored).parent_path();
    places = {folder / "../emulation", folder / HEADROOM_INSTALLED_EMULATION};
  }
  for (const fs::path& each : places) {
    if (!fs::exists(each / "libheadroom_card.so", ignored)) continue;
    fs::path found = fs::canonical(each, ignored);
    // What separates names in LD_PRELOAD.
    if (found.string().find_first_of(" :") != std::string::npos) {
      throw usage_error(fmt::format(
          "the emulation's folder {} has a blank or a colon in its path, which the loader cannot "
          "take; install headroom elsewhere",
          quoted_text(found.string())));
    }
    return found;
  }
  throw usage_error(fmt::format(
      "the emulated CUDA libraries are not in {}; install the whole package, or name their folder "
      "in HEADROOM_EMULATION_FOLDER",
      quoted_text(places.front().lexically_normal().string())));
}

}  // namespace headroom::cli
