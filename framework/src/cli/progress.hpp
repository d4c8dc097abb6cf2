// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <headroom/cli/console.hpp>
#include <string_view>

namespace headroom::cli {

/// One line on a terminal that says what is being done, and goes when it is over. Nothing in a log.
class progress {
 public:
  explicit progress(const console& io) : io_(io) {}
  ~progress() { say(""); }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void say(std::string_view what) const {
    if (!io_.terminal) return;
    constexpr std::size_t width = 78;
    const std::string_view shown = what.substr(0, width);
    io_.err << '\r' << shown << std::string(width - shown.size(), ' ') << '\r' << std::flush;
  }

 private:
  const console& io_;
};

}  // namespace headroom::cli
