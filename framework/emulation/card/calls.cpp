// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "calls.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "card.hpp"
#include "json_text.hpp"
#include "run_channel.hpp"

namespace headroom::emulation {
namespace {

std::mutex& tables_mutex() {
  static std::mutex one;
  return one;
}
std::vector<const call_table*>& tables() {
  static auto* all = new std::vector<const call_table*>;
  return *all;
}
std::map<std::string, std::uint64_t>& gaps() {
  static auto* all = new std::map<std::string, std::uint64_t>;
  return *all;
}
std::map<std::string, std::uint64_t>& assumptions() {
  static auto* all = new std::map<std::string, std::uint64_t>;
  return *all;
}

}  // namespace

void add_call_table(const call_table* table) {
  const std::lock_guard lock(tables_mutex());
  tables().push_back(table);
}

const std::vector<const call_table*>& call_tables() { return tables(); }

int answer_unmodelled(const call_table& table, std::size_t which) {
  const std::uint64_t before = table.unmodelled_counts[which].fetch_add(1);
  if (before == 0) {
    tell_run("{\"event\": \"unmodelled\", \"process\": " + std::to_string(getpid()) +
             ", \"library\": " + json_string(table.library) +
             ", \"call\": " + json_string(table.unmodelled[which]) + "}");
  }
  const card_lock lock(card_mutex());
  const bool pass = card::get().set.unknown_calls == unmodelled::warn;
  if (pass && before == 0) {
    std::fprintf(stderr,
                 "headroom: emulated card: %s is not modelled; it did nothing and answered success "
                 "(HEADROOM_EMULATED_UNMODELLED=warn)\n",
                 table.unmodelled[which]);
  }
  if (pass) return 0;
  const result answer = static_cast<result>(table.not_supported);
  if (answer == result::not_supported) this_thread().last = answer;
  return table.not_supported;
}

void note_uncounted(const char* library, const char* call) {
  static auto* const told = new std::set<std::string>;
  const std::lock_guard lock(tables_mutex());
  if (!told->insert(call).second) return;
  tell_run("{\"event\": \"unmodelled\", \"process\": " + std::to_string(getpid()) +
           ", \"library\": " + json_string(library) + ", \"call\": " + json_string(call) + "}");
}

void note_gap(const char* what) {
  const std::lock_guard lock(tables_mutex());
  if (++gaps()[what] > 1) return;
  tell_run("{\"event\": \"gap\", \"process\": " + std::to_string(getpid()) +
           ", \"what\": " + json_string(what) + "}");
}

std::vector<std::pair<std::string, std::uint64_t>> noted_gaps() {
  const std::lock_guard lock(tables_mutex());
  return {gaps().begin(), gaps().end()};
}

void note_assumption(const std::string& what) {
  const std::lock_guard lock(tables_mutex());
  ++assumptions()[what];
}

std::vector<std::pair<std::string, std::uint64_t>> noted_assumptions() {
  const std::lock_guard lock(tables_mutex());
  return {assumptions().begin(), assumptions().end()};
}

}  // namespace headroom::emulation

std::int64_t headroom_emulation_calls(const char* name) {
  std::int64_t sum = -1;
  const auto add = [&](const char* const* names, const std::atomic<std::uint64_t>* counts,
                       std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (std::strcmp(names[i], name) != 0) continue;
      sum = (sum < 0 ? 0 : sum) + static_cast<std::int64_t>(counts[i].load());
    }
  };
  for (const auto* table : headroom::emulation::call_tables()) {
    add(table->modelled, table->counts, table->modelled_count);
    add(table->unmodelled, table->unmodelled_counts, table->unmodelled_count);
  }
  return sum;
}

void headroom_emulation_each_call(void (*tell)(void* context, const char* name,
                                               std::uint64_t count),
                                  void* context) {
  for (const auto* table : headroom::emulation::call_tables()) {
    for (std::size_t i = 0; i < table->modelled_count; ++i) {
      const std::uint64_t count = table->counts[i].load();
      if (count > 0) tell(context, table->modelled[i], count);
    }
  }
}
