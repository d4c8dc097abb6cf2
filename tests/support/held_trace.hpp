// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <fstream>
#include <headroom/device/trace_reader.hpp>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

/// A whole trace in memory, its blocks renumbered: ids are indices, as few as blocks are live at
/// once. So that timing measures allocators, not the finding of ids.
struct held_trace {
  headroom::trace_header header;
  std::vector<headroom::trace_event> events;
  std::size_t recorded = 0;  ///< how many events the file has; behind them, everything is freed
  std::uint64_t slots = 0;
};

inline held_trace read_trace(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot be read");
  headroom::trace_reader reader(in, path);
  held_trace trace{reader.header(), {}, 0, 0};
  std::unordered_map<std::uint64_t, std::uint64_t> slot_of;
  std::vector<std::uint64_t> spare;
  while (std::optional<headroom::trace_event> event = reader.next()) {
    const std::uint64_t id = event->id;
    switch (event->operation) {
      case headroom::trace_operation::allocate:
        if (spare.empty()) spare.push_back(trace.slots++);
        slot_of[id] = event->id = spare.back();
        spare.pop_back();
        break;
      case headroom::trace_operation::free:
        spare.push_back(event->id = slot_of.at(id));
        slot_of.erase(id);
        break;
      case headroom::trace_operation::use:
        event->id = slot_of.at(id);
        break;
      default:
        break;
    }
    trace.events.push_back(*event);
  }
  trace.recorded = trace.events.size();
  // What is live at the end is freed, so that the trace can be run again.
  for (const auto& [id, slot] : slot_of) {
    trace.events.push_back({.operation = headroom::trace_operation::free,
                            .id = slot,
                            .stream = {},
                            .size = {},
                            .what = {}});
  }
  return trace;
}

/// "NAME:VALUE,NAME:VALUE"
inline std::string settings_text(const headroom::allocator_settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings.entries()) {
    text += (text.empty() ? "" : ",") + name + ":" + value;
  }
  return text;
}

/// Events of a trace, `last` not included.
struct part_of_trace {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// What a timing counts: everything and the frees behind it or, where the number of an event is
/// given, what was recorded from there on.
inline part_of_trace timed_part(const held_trace& trace, const char* from) {
  if (from == nullptr) return {0, trace.events.size()};
  const std::size_t first = std::stoull(from);
  if (first >= trace.recorded) throw std::runtime_error("the trace ends before the first event");
  return {first, trace.recorded};
}
