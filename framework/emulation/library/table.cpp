// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "table.hpp"

#include <pthread.h>

#include <iterator>

#include "../card/card.hpp"
#include "unmodelled.hpp"

namespace headroom::emulation::library {

std::atomic<std::uint64_t> call_counts[static_cast<unsigned>(call::count_)];
std::atomic<bool> forked_after_use = false;

namespace {

constexpr const char* names[] = {
#define HEADROOM_CALL(name, family, what) #name,
#include HEADROOM_CALL_TABLE
};

const call_table table{HEADROOM_LIBRARY_NAME, names,
                       call_counts,           std::size(names),
                       unmodelled_names,      unmodelled_counts,
                       unmodelled_count,      HEADROOM_NOT_SUPPORTED};

void child_of_fork() {
  if (card::existing() != nullptr) forked_after_use = true;
}

[[gnu::constructor]] void begin() {
  add_call_table(&table);
  pthread_atfork(nullptr, nullptr, child_of_fork);
}

}  // namespace

const call_table& this_library() { return table; }

}  // namespace headroom::emulation::library
