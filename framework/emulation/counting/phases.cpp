// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Phases of a counted run, and its end: what ../card/run_phases.hpp declares, over the books here.
#include "../card/run_phases.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "ledger.hpp"

using headroom::counting::ledger;

namespace {

std::atomic<headroom_run_reader> framework_reader = nullptr;
/// Of plain memory: phases may end when the thread's own objects are gone.
thread_local char* framework_levels = nullptr;

std::string take_framework_levels() {
  const std::string taken = framework_levels == nullptr ? "" : framework_levels;
  headroom_run_answer(nullptr);
  return taken;
}

[[gnu::destructor]] void end_of_process() {
  const std::unique_lock lock(ledger::guard(), std::try_to_lock);
  if (lock.owns_lock()) ledger::end();
}

}  // namespace

void headroom_run_set_reader(headroom_run_reader reader) { framework_reader = reader; }

void headroom_run_answer(const char* levels) {
  std::free(framework_levels);
  framework_levels = levels == nullptr ? nullptr : strdup(levels);
}

int headroom_run_begin_phase(const char* name, const char* by) {
  int number = 0;
  {
    const std::lock_guard lock(ledger::guard());
    ledger* const books = ledger::get();
    if (books == nullptr) return 0;
    books->refresh();
    number = books->channel().begin_phase(name == nullptr ? "" : name, by == nullptr ? "" : by);
  }
  if (const headroom_run_reader reader = framework_reader) reader(1, number);
  return number;
}

int headroom_run_end_phase(int number, int failed) {
  headroom_run_answer(nullptr);
  if (const headroom_run_reader reader = framework_reader) reader(2, number);
  const std::string levels = take_framework_levels();
  const std::lock_guard lock(ledger::guard());
  ledger* const books = ledger::get();
  if (books == nullptr) return 0;
  books->refresh();
  return books->channel().end_phase(number, levels, failed != 0) ? 1 : 0;
}

int headroom_run_innermost_phase() {
  const std::lock_guard lock(ledger::guard());
  ledger* const books = ledger::get();
  return books == nullptr ? 0 : books->channel().innermost();
}

void headroom_run_end(int status) {
  headroom::emulation::run_channel::exits_with(status);
  end_of_process();
}

void headroom_run_lose_line() { headroom::emulation::lose_line(); }

int headroom_run_card(int device) {
  const std::lock_guard lock(ledger::guard());
  ledger* const books = ledger::get();
  return books == nullptr ? -1 : books->card_of(device);
}
