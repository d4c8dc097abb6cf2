// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

namespace headroom::emulation {
/// Whether a framework has ever been looked on in this process.
[[nodiscard]] bool framework_reader_was_set();
}  // namespace headroom::emulation

extern "C" {
// For what the run brings into the process: PyTorch's hooks, NVTX.
/// Called at the boundaries of every phase, without a lock, in the thread that begins or ends it:
/// at the end it may say by headroom_run_answer what the framework's allocator counts.
using headroom_run_reader = void (*)(int what, int phase);  // what: 1 begin, 2 end
/// @param reader  null for none
void headroom_run_set_reader(headroom_run_reader reader);
/// @param levels  a JSON list
void headroom_run_answer(const char* levels);
/// As run_channel::begin_phase. @return 0 outside of a run
int headroom_run_begin_phase(const char* name, const char* by);
/// @return 0 where no such phase is open
int headroom_run_end_phase(int number, int failed);
/// The innermost phase that the thread has open, 0 for none.
int headroom_run_innermost_phase();
/// This process is about to end without its exit handlers: tells the run what it held.
void headroom_run_end(int status);
/// A line of the log was lost that the caller meant to write.
void headroom_run_lose_line();
/// The number among the run's cards of a device of this process, which CUDA_VISIBLE_DEVICES may
/// have moved; -1 for one of no such card.
int headroom_run_card(int device);
}
