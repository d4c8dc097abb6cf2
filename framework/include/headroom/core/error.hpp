// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <headroom/core/counters.hpp>
#include <headroom/core/tag.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace headroom {

/// Base of everything that stops a run. One type for each remedy.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument, a setting or a call that is not valid: mend the call.
class usage_error : public error {
 public:
  using error::error;
};

/// The device asked for is not there or does not answer: choose another device, or mend the
/// machine.
class device_error : public error {
 public:
  using error::error;
};

/// An output file exists already, or could not be written: name another.
class output_error : public error {
 public:
  using error::error;
};

/// An artifact is not valid.
class artifact_error : public error {
 public:
  using error::error;
};

/// One fault of an input file: where it is, what was found and what to write instead.
struct file_problem {
  std::string file;
  int line = 0;         ///< from 1; 0 when the fault is not at one line
  std::string pointer;  ///< JSON pointer of the value, "" for the whole document
  std::string message;  ///< "unknown unit \"KB\"; write \"kB\" (1000) or \"KiB\" (1024)"

  /// "FILE:LINE: POINTER: MESSAGE", without the parts that are not known
  [[nodiscard]] std::string text() const;
  friend bool operator==(const file_problem&, const file_problem&) = default;
};

/// A budget file that is not valid. Holds every fault of the file; what() has one a line.
class budget_error : public error {
 public:
  explicit budget_error(std::vector<file_problem> problems);
  [[nodiscard]] const std::vector<file_problem>& problems() const { return problems_; }

 private:
  std::vector<file_problem> problems_;
};

/// What was known at the moment of a refused request.
struct out_of_memory_facts {
  bytes requested;                   ///< as asked
  bytes rounded;                     ///< after the allocator's rounding
  tag what = tag::other;             ///< what the block was for
  memory_counters counters;          ///< at that moment
  bytes capacity;                    ///< what the allocator may hold in all
  std::optional<bytes> system_free;  ///< free bytes of the device, where they could be read
  std::string device;                ///< device id, for example "plan:24GB"
};

/// The device refused memory, after cached segments were given back and the request was tried
/// again.
class out_of_memory : public error {
 public:
  explicit out_of_memory(out_of_memory_facts facts);
  [[nodiscard]] const out_of_memory_facts& facts() const { return facts_; }

 private:
  out_of_memory_facts facts_;
};

}  // namespace headroom
