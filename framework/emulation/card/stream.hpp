// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "result.hpp"

namespace headroom::emulation {

struct device;
struct stream;
class capture;

/// A place in a stream's order: passed when all work up to the ticket is done.
struct point {
  stream* on = nullptr;  ///< null: nothing to wait for
  std::uint64_t ticket = 0;
  [[nodiscard]] bool passed() const;
};

/// Something queued. Work that changes nothing (a kernel that is left out) has a ticket and no
/// entry.
struct work {
  std::uint64_t ticket = 0;
  point after;                  ///< to be passed first, on another stream
  std::function<result()> run;  ///< may be empty
  bool host_code = false;       ///< the program's own code: runs with the card unlocked
};

/// Work in order. Nothing is done when it is queued; it is done when something waits for it: a
/// synchronize, a copy that returns when it is done, another stream's work that was told to wait
/// and is waited for. A query alone changes nothing, until the same thread was told "not ready"
/// `polls` times without queuing anything: a program that polls is waiting too. A stream holds
/// `stream::most_waiting` pieces of work; with more, the oldest are done first, as a card's queue
/// fills.
struct stream {
  static constexpr std::size_t most_waiting = 4096;

  explicit stream(device& owner) : on(&owner) {}

  device* on;
  bool blocking = true;  ///< ordered with the legacy stream
  bool live = true;
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  std::uint64_t queued = 0;  ///< last ticket given
  std::uint64_t done = 0;    ///< every ticket up to it is done
  std::deque<work> waiting;
  bool running = false;              ///< a thread is in this stream's host code
  std::uint64_t legacy_seen = 0;     ///< the legacy stream's ticket that this one comes after
  std::uint64_t seen_by_legacy = 0;  ///< this one's ticket that the legacy stream comes after
  std::unordered_map<const stream*, std::uint64_t> comes_after;  ///< tickets of other streams
  capture* capturing = nullptr;
};

inline bool point::passed() const { return on == nullptr || on->done >= ticket; }

/// A recorded event is a place in a stream.
struct event {
  bool live = true;
  unsigned flags = 0;
  int device = 0;
  bool recorded = false;
  point at;
  std::uint64_t order = 0;      ///< pieces of work queued on the card before it: a made-up clock
  capture* captured = nullptr;  ///< last recorded in a capture
  std::uint64_t capture_id = 0;
  std::vector<struct graph_node*> nodes;  ///< what the event stands for in that capture
};

}  // namespace headroom::emulation
