// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "queue.hpp"

#include <algorithm>

#include "capture.hpp"

namespace headroom::emulation {
namespace {

constexpr unsigned non_blocking = 1;

void push_wait(stream& on, const point& awaited) {
  if (awaited.on == nullptr || awaited.on == &on) return;
  std::uint64_t& seen = on.comes_after[awaited.on];
  if (awaited.ticket <= seen) return;
  seen = awaited.ticket;
  if (awaited.passed()) return;
  on.waiting.push_back({++on.queued, awaited, {}, false});
}

/// The legacy default stream comes after the work of all blocking streams, and they after its own.
void join_legacy(stream& on) {
  stream& legacy = on.on->legacy;
  if (&on == &legacy) {
    for (const auto& other : on.on->streams) {
      if (!other->blocking || other->queued == other->seen_by_legacy) continue;
      other->seen_by_legacy = other->queued;
      push_wait(on, {other.get(), other->queued});
    }
  } else if (on.blocking && legacy.queued != on.legacy_seen) {
    on.legacy_seen = legacy.queued;
    push_wait(on, {&legacy, legacy.queued});
  }
}

/// Runs one piece of work. The stream is marked, so that no other thread runs its next.
result run_unlocked(card& all, card_lock& lock, stream& on, const std::function<result()>& run) {
  thread_state& me = this_thread();
  on.running = true;
  lock.unlock();
  me.in_host_code = true;
  const result answer = run();
  me.in_host_code = false;
  lock.lock();
  on.running = false;
  all.changed.notify_all();
  return answer;
}

}  // namespace

void wait_for(card& all, card_lock& lock, const point& awaited) {
  if (awaited.on == nullptr) return;
  stream& on = *awaited.on;
  while (on.done < awaited.ticket) {
    if (on.running) {
      all.changed.wait(lock);
      continue;
    }
    if (on.waiting.empty() || on.waiting.front().ticket > awaited.ticket) {
      on.done = awaited.ticket;
      return;
    }
    if (!on.waiting.front().after.passed()) {
      const point before = on.waiting.front().after;
      wait_for(all, lock, before);
      continue;  // another thread may have come here while the lock was given up
    }
    const work next = std::move(on.waiting.front());
    on.waiting.pop_front();
    on.done = std::max(on.done, next.ticket - 1);
    if (next.run) {
      const result answer = next.host_code ? run_unlocked(all, lock, on, next.run) : next.run();
      if (answer != result::success && on.on->fault == result::success) on.on->fault = answer;
    }
    on.done = std::max(on.done, next.ticket);
  }
}

point enqueue(card& all, card_lock& lock, stream& on, operation what) {
  if (on.capturing != nullptr) {
    graph_node& node = on.capturing->add(on, static_cast<node_kind>(what.node));
    node.what = std::move(what);
    return {};
  }
  join_legacy(on);
  ++all.order;
  this_thread().polls = 0;
  this_thread().queued = true;
  const point at{&on, ++on.queued};
  if (what.run) {
    on.waiting.push_back({at.ticket, {}, std::move(what.run), what.host_code});
    if (on.waiting.size() > stream::most_waiting) {
      wait_for(all, lock, {&on, on.waiting.front().ticket});
    }
  }
  return at;
}

void enqueue_wait(card& all, card_lock& lock, stream& on, const point& awaited) {
  join_legacy(on);
  ++all.order;
  push_wait(on, awaited);
  if (on.waiting.size() > stream::most_waiting) {
    wait_for(all, lock, {&on, on.waiting.front().ticket});
  }
}

point end_of(card&, card_lock&, stream& on) {
  join_legacy(on);
  return {&on, on.queued};
}

void wait_for_device(card& all, card_lock& lock, device& on) {
  wait_for(all, lock, {&on.legacy, on.legacy.queued});
  for (std::size_t i = 0; i < on.streams.size(); ++i) {  // callbacks cannot add streams
    stream& each = *on.streams[i];
    wait_for(all, lock, {&each, each.queued});
  }
}

bool poll(card& all, card_lock& lock, thread_state& me, const point& awaited) {
  if (awaited.passed()) return true;
  // A thread that only watches others' work does not hurry it while they queue more.
  if (!me.queued && me.order_seen != all.order) {
    me.order_seen = all.order;
    me.polls = 0;
  }
  if (++me.polls < all.set.polls) return false;
  me.polls = 0;
  wait_for(all, lock, awaited);
  return true;
}

stream* create_stream(card& all, device& on, unsigned flags, int priority) {
  const auto idle = std::find_if(on.streams.begin(), on.streams.end(), [](const auto& each) {
    return !each->live && each->done == each->queued && !each->running;
  });
  stream& fresh =
      idle != on.streams.end() ? **idle : *on.streams.emplace_back(std::make_unique<stream>(on));
  fresh.live = true;
  fresh.flags = flags;
  fresh.blocking = (flags & non_blocking) == 0;
  fresh.priority = priority;
  fresh.id = ++all.last_stream_id;
  all.streams.emplace(&fresh, &fresh);
  return &fresh;
}

void destroy_stream(card& all, stream& which) {
  // Its work is still done, by what waits for the device or for the work; then it is used again.
  which.live = false;
  all.streams.erase(&which);
}

stream* stream_of(card& all, thread_state& me, device& on, const void* handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number < 2) return &on.legacy;
  if (number == 2) {
    stream*& own = me.own_streams[on.index];
    if (own == nullptr) own = create_stream(all, on, 0, 0);
    return own;
  }
  const auto found = all.streams.find(handle);
  return found == all.streams.end() ? nullptr : found->second;
}

}  // namespace headroom::emulation
