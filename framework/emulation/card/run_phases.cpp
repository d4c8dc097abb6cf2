// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run_phases.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include "card.hpp"
#include "run_channel.hpp"

using namespace headroom::emulation;

namespace {

std::atomic<headroom_run_reader> framework_reader = nullptr;
std::atomic<bool> reader_was_set = false;
/// Of plain memory: phases may end when the thread's own objects are gone.
thread_local char* framework_levels = nullptr;

std::string take_framework_levels() {
  const std::string taken = framework_levels == nullptr ? "" : framework_levels;
  headroom_run_answer(nullptr);
  return taken;
}

/// The channel of a process that is not the child of one that has it.
run_channel* channel() {
  card& all = card::get();
  return all.process == getpid() ? all.run.get() : nullptr;
}

}  // namespace

bool headroom::emulation::framework_reader_was_set() { return reader_was_set; }

void headroom_run_set_reader(headroom_run_reader reader) {
  if (reader != nullptr) reader_was_set = true;
  framework_reader = reader;
}

void headroom_run_answer(const char* levels) {
  std::free(framework_levels);
  framework_levels = levels == nullptr ? nullptr : strdup(levels);
}

int headroom_run_begin_phase(const char* name, const char* by) {
  int number = 0;
  {
    const card_lock lock(card_mutex());
    run_channel* const run = channel();
    if (run == nullptr) return 0;
    number = run->begin_phase(name == nullptr ? "" : name, by == nullptr ? "" : by);
  }
  if (const headroom_run_reader reader = framework_reader) reader(1, number);
  return number;
}

int headroom_run_end_phase(int number, int failed) {
  headroom_run_answer(nullptr);
  if (const headroom_run_reader reader = framework_reader) reader(2, number);
  const std::string levels = take_framework_levels();
  const card_lock lock(card_mutex());
  run_channel* const run = channel();
  return run != nullptr && run->end_phase(number, levels, failed != 0) ? 1 : 0;
}

int headroom_run_innermost_phase() {
  const card_lock lock(card_mutex());
  run_channel* const run = channel();
  return run == nullptr ? 0 : run->innermost();
}

void headroom_run_lose_line() { headroom::emulation::lose_line(); }

int headroom_run_card(int device) {
  const card_lock lock(card_mutex());
  const card& all = card::get();
  const bool known = device >= 0 && device < static_cast<int>(all.devices.size());
  return known ? all.devices[static_cast<std::size_t>(device)]->place : -1;
}
