// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/tag.hpp>
#include <headroom/device/allocator_settings.hpp>
#include <headroom/device/stream.hpp>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// A trace that is not valid: where, what was found and what to write instead.
class trace_error : public error {
 public:
  explicit trace_error(file_problem problem)
      : error(problem.text()), problem_(std::move(problem)) {}
  [[nodiscard]] const file_problem& problem() const { return problem_; }

 private:
  file_problem problem_;
};

/// The letters that open an event's line.
enum class trace_operation : char {
  allocate = 'a',
  free = 'f',
  use = 'u',
  complete = 's',
  empty_cache = 'e',
  reset_peaks = 'r'
};

struct trace_event {
  trace_operation operation = trace_operation::allocate;
  std::uint64_t id = 0;   ///< of allocate, free and use
  stream_id stream;       ///< of allocate, use and complete
  bytes size;             ///< of allocate
  tag what = tag::other;  ///< of allocate
};

/// What stands in a trace before its events.
struct trace_header {
  bytes capacity;
  allocator_settings settings;
};

/// Reads an allocation trace (docs/trace-format.md) event by event, in constant memory.
class trace_reader {
 public:
  /// Reads up to the first event.
  /// @param in    must outlive the reader
  /// @param name  for messages: the file's path, "standard input"
  /// @throws trace_error
  trace_reader(std::istream& in, std::string name);

  [[nodiscard]] const trace_header& header() const { return header_; }
  /// The next event; nothing at the end. @throws trace_error
  [[nodiscard]] std::optional<trace_event> next();
  /// The line of the last event, from 1.
  [[nodiscard]] int line() const { return line_; }
  /// A fault at that line. @param message what was found and what to write
  [[noreturn]] void fail(std::string message) const;

 private:
  [[nodiscard]] std::optional<std::string_view> next_line();
  [[nodiscard]] bool fill();
  void refuse_carriage_return(std::string_view text) const;
  void read_header();
  void read_setting(std::string_view rest);
  [[nodiscard]] trace_event event_of(std::string_view text) const;
  [[nodiscard]] tag tag_of(std::string_view word) const;
  [[noreturn]] void refuse_line(std::string_view text, std::string_view word) const;

  std::istream* in_;
  std::string name_;
  trace_header header_;
  std::vector<std::string> setting_names_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  ///< of what was not handed out yet
  std::size_t end_ = 0;
  int line_ = 0;
  std::optional<std::string_view> first_event_;  ///< the line that ended the header
};

}  // namespace headroom
