// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run_environment.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace headroom::emulation {
namespace {

constexpr std::string_view prefix = "HEADROOM_";

/// Never destroyed: asked for until the very end.
const std::vector<std::string>& at_load() {
  static const auto* const lines = [] {
    auto* const made = new std::vector<std::string>;
    for (char** line = environ; line != nullptr && *line != nullptr; ++line) {
      if (std::string_view(*line).starts_with(prefix)) made->emplace_back(*line);
    }
    return made;
  }();
  return *lines;
}

[[gnu::constructor]] void look_at_load() { static_cast<void>(at_load()); }

}  // namespace

std::string run_variable(const std::string& name) {
  if (const char* const now = std::getenv(name.c_str()); now != nullptr && *now != '\0') return now;
  for (const std::string& line : at_load()) {
    if (line.starts_with(name + "=")) return line.substr(name.size() + 1);
  }
  return "";
}

std::vector<std::string> run_environment() {
  std::vector<std::string> lines;
  for (char** line = environ; line != nullptr && *line != nullptr; ++line) {
    lines.emplace_back(*line);
  }
  for (const std::string& line : at_load()) {
    const std::string name = line.substr(0, line.find('='));
    if (std::getenv(name.c_str()) == nullptr) lines.push_back(line);
  }
  return lines;
}

}  // namespace headroom::emulation
