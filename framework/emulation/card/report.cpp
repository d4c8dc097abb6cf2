// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// What is said when the process ends: which calls were made, which of them were not modelled, which
// kernels were left out, and how much memory each card gave.
#include <cxxabi.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "calls.hpp"
#include "card.hpp"
#include "json_text.hpp"
#include "run_channel.hpp"
#include "run_phases.hpp"

namespace headroom::emulation {
namespace {

std::string readable(const char* mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string out = status == 0 ? text : mangled;
  std::free(text);
  return out;
}

/// "{"a": 1, "b": 2}" of the names with a count above zero
template <class Names, class Counts>
void add_counts(std::string& out, const Names& names, const Counts& counts, std::size_t count) {
  out += "{";
  bool first = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t n = counts[i];
    if (n == 0) continue;
    out += (first ? "" : ", ") + json_string(names[i]) + ": " + std::to_string(n);
    first = false;
  }
  out += "}";
}

void add_devices(std::string& out, const card& all) {
  out += "[";
  for (const auto& each : all.devices) {
    out += each == all.devices.front() ? "" : ", ";
    out += "{\"index\": " + std::to_string(each->place) +
           ", \"name\": " + json_string(each->profile.name) +
           ", \"capacity_bytes\": " + std::to_string(each->memory.capacity()) +
           ", \"used_bytes\": " + std::to_string(each->memory.used()) +
           ", \"used_peak_bytes\": " + std::to_string(each->memory.peak()) +
           ", \"context_bytes\": " + std::to_string(each->active ? all.set.context : 0) +
           ", \"active\": " + (each->active ? "true" : "false") + "}";
  }
  out += "]";
}

void add_kernels(std::string& out) {
  std::vector<const kernel*> launched = modules().launched();
  std::sort(launched.begin(), launched.end(), [](const kernel* a, const kernel* b) {
    return std::string_view(a->name) < std::string_view(b->name);
  });
  out += "[";
  // A module that was loaded more than once has kernels of the same names.
  for (auto it = launched.begin(); it != launched.end();) {
    const std::string_view name = (*it)->name;
    std::uint64_t count = 0;
    std::uint64_t left_out = 0;
    out += it == launched.begin() ? "" : ", ";
    for (; it != launched.end() && (*it)->name == name; ++it) {
      count += (*it)->launched;
      left_out += (*it)->left_out;
    }
    out += "{\"name\": " + json_string(readable(name.data())) +
           ", \"launched\": " + std::to_string(count) +
           ", \"left_out\": " + std::to_string(left_out) + "}";
  }
  out += "]";
}

void add_notes(std::string& out, const std::vector<std::pair<std::string, std::uint64_t>>& notes) {
  out += "{";
  bool first = true;
  for (const auto& [what, count] : notes) {
    out += (first ? "" : ", ") + json_string(what) + ": " + std::to_string(count);
    first = false;
  }
  out += "}";
}

std::string json(const card& all) {
  std::string out =
      "{\"schema\": \"headroom-emulation-report/1\", \"prediction\": true, \"process\": " +
      std::to_string(getpid()) + ", \"devices\": ";
  add_devices(out, all);
  out += ", \"libraries\": [";
  bool first = true;
  for (const call_table* table : call_tables()) {
    out += first ? "" : ", ";
    first = false;
    out += "{\"name\": " + json_string(table->library) + ", \"calls\": ";
    add_counts(out, table->modelled, table->counts, table->modelled_count);
    out += ", \"unmodelled\": ";
    add_counts(out, table->unmodelled, table->unmodelled_counts, table->unmodelled_count);
    out += "}";
  }
  out += "], \"gaps\": ";
  add_notes(out, noted_gaps());
  out += ", \"assumed\": ";
  add_notes(out, noted_assumptions());
  out += ", \"kernels\": ";
  add_kernels(out);
  return out + "}";
}

/// Nothing is overwritten: a name that is taken gets the process's number.
void write_file(const std::string& name, const std::string& text) {
  int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  std::string written_to = name;
  if (file < 0) {
    written_to = name + "." + std::to_string(getpid());
    file = open(written_to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  }
  const bool whole =
      file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0) close(file);
  if (!whole) {
    std::fprintf(stderr, "headroom: emulated card: the report could not be written to %s\n",
                 written_to.c_str());
  }
}

void say(const char* what, const char* name, std::uint64_t count) {
  std::fprintf(stderr, "headroom: emulated card: %s: %s (%llu)\n", what, name,
               static_cast<unsigned long long>(count));
}

void report_on_stderr() {
  for (const call_table* table : call_tables()) {
    for (std::size_t i = 0; i < table->unmodelled_count; ++i) {
      const std::uint64_t count = table->unmodelled_counts[i];
      if (count > 0) say("call not modelled", table->unmodelled[i], count);
    }
  }
  for (const auto& [what, count] : noted_gaps()) say("not modelled", what.c_str(), count);
  for (const auto& [what, count] : noted_assumptions()) say("assumed", what.c_str(), count);
}

/// After the program's own destructors: the stand-ins' libraries depend on this one.
[[gnu::destructor]] void report_at_exit() {
  card* all = card::existing();
  if (all != nullptr && all->process != getpid()) return;  // a child tells nothing of its parent
  report_on_stderr();
  if (all == nullptr) return;
  const std::unique_lock lock(card_mutex(), std::try_to_lock);
  if (all->run) all->run->end(json(*all));
  if (!all->set.report.empty()) write_file(all->set.report, json(*all) + "\n");
}

}  // namespace
}  // namespace headroom::emulation

void headroom_run_end(int status) {
  using namespace headroom::emulation;
  const card* const all = card::existing();
  if (all == nullptr || all->process != getpid() || !all->run) return;
  const std::unique_lock lock(card_mutex(), std::try_to_lock);
  if (lock.owns_lock()) {
    run_channel::exits_with(status);
    all->run->end(json(*all));
  }
}
