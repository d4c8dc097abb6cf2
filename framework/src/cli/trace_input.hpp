// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <fstream>
#include <headroom/device/trace_reader.hpp>
#include <istream>
#include <memory>
#include <streambuf>
#include <string>

namespace headroom::cli {

/// A trace that is read from its begin again and again. What cannot be read twice (standard input,
/// a pipe) is kept in a temporary file while it is read the first time.
class trace_input {
 public:
  /// @param path   a file, or "-" for standard input
  /// @param again  whether it is opened more than once
  /// @throws trace_error when there is no such file
  trace_input(const std::string& path, std::istream& standard_input, bool again);
  ~trace_input();
  trace_input(const trace_input&) = delete;
  trace_input& operator=(const trace_input&) = delete;

  /// At the trace's begin. The reader before must not be used any more; the first must have been
  /// read to its end. @throws trace_error, output_error when nothing can be kept
  [[nodiscard]] trace_reader open();
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  class keeping_buffer;

  std::string name_;
  std::ifstream file_;
  std::istream* source_;  ///< what is read the first time
  bool keeps_ = false;
  bool opened_ = false;
  std::fstream kept_;
  std::unique_ptr<keeping_buffer> buffer_;
  std::unique_ptr<std::istream> keeping_;
};

}  // namespace headroom::cli
