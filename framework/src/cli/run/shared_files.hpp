// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/run_segment.hpp>
#include <string>

namespace headroom::cli {

/// The segment and the log of one run: memory with a name in /proc, so that no folder has to be
/// writable and nothing is left behind. @throws error when there is no memory for them
class shared_files {
 public:
  shared_files();
  ~shared_files();
  shared_files(const shared_files&) = delete;
  shared_files& operator=(const shared_files&) = delete;

  [[nodiscard]] run_segment& segment() const { return *segment_; }
  [[nodiscard]] std::string segment_path() const;
  [[nodiscard]] std::string log_path() const;
  /// What was written so far.
  [[nodiscard]] std::string log() const;

 private:
  int segment_file_ = -1;
  int log_file_ = -1;
  run_segment* segment_ = nullptr;
};

}  // namespace headroom::cli
