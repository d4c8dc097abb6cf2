// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::emulation {

/// The calls of one stand-in library: names, and how often each was made.
struct call_table {
  const char* library;          ///< "libcudart.so.13"
  const char* const* modelled;  ///< names
  std::atomic<std::uint64_t>* counts;
  std::size_t modelled_count;
  const char* const* unmodelled;
  std::atomic<std::uint64_t>* unmodelled_counts;
  std::size_t unmodelled_count;
  int not_supported;  ///< what the library answers for a call that is not modelled
};

/// Makes a library's table part of the report. The table must outlive the process's end.
void add_call_table(const call_table* table);
[[nodiscard]] const std::vector<const call_table*>& call_tables();

/// A call that is not modelled was made.
/// @return what it answers: success (0) after a warning, or the table's not_supported, as set. The
///         runtime keeps it as the thread's last error, other libraries do not
int answer_unmodelled(const call_table& table, std::size_t which);

/// A call that is modelled took memory that is not counted against a card, and on a real one may be
/// there: the run judges it as one that is not modelled.
void note_uncounted(const char* library, const char* call);

/// Something that was not modelled inside a modelled call: "cudaMemcpy3D: arrays". Counted, and
/// named in the report.
void note_gap(const char* what);
[[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> noted_gaps();

/// A figure that the emulation assumed: "cuDNN: 33554432 B of workspace for each convolution".
/// Counted, and named in the report and on standard error at the process's end.
void note_assumption(const std::string& what);
[[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> noted_assumptions();

}  // namespace headroom::emulation

extern "C" {
/// How often a call was made in this process, by its name ("cudaMalloc"); summed over the
/// stand-in libraries. -1: no such name.
std::int64_t headroom_emulation_calls(const char* name);
/// Tells each modelled call that was made in this process, library by library.
/// @param context  passed on
void headroom_emulation_each_call(void (*tell)(void* context, const char* name,
                                               std::uint64_t count),
                                  void* context);
}
