// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "events.hpp"

#include "capture.hpp"
#include "pool.hpp"

namespace headroom::emulation {

event* create_event(card& all, device& on, unsigned flags) {
  event* fresh = nullptr;
  if (all.spare_events.empty()) {
    fresh = all.all_events.emplace_back(std::make_unique<event>()).get();
  } else {
    fresh = all.spare_events.back();
    all.spare_events.pop_back();
    *fresh = {};
  }
  fresh->flags = flags;
  fresh->device = on.index;
  all.events.insert(fresh);
  return fresh;
}

void destroy_event(card& all, event& which) {
  // Streams that were told to wait hold the place in the stream, not the event.
  all.events.erase(&which);
  all.spare_events.push_back(&which);
}

result record(card& all, card_lock& lock, event& what, stream& on) {
  what.nodes.clear();
  what.recorded = true;
  if (on.capturing != nullptr) {
    what.captured = on.capturing;
    what.nodes = on.capturing->ends(on);
    return result::success;
  }
  const point at = enqueue(all, lock, on, {});
  what.at = at;
  what.order = all.order;
  what.captured = nullptr;
  return result::success;
}

result wait_in(card& all, card_lock& lock, stream& on, const event& awaited) {
  if (!awaited.recorded) return result::success;
  if (awaited.captured != nullptr) {
    if (!awaited.captured->live()) return result::invalid_value;
    if (on.capturing != nullptr && on.capturing != awaited.captured) {
      on.capturing->invalidate();
      awaited.captured->invalidate();
      return result::capture_merge;
    }
    if (&on == &on.on->legacy) {
      awaited.captured->invalidate();
      return result::capture_implicit;
    }
    awaited.captured->join(on, awaited.nodes);
    return result::success;
  }
  if (on.capturing != nullptr) {
    on.capturing->invalidate();
    return result::capture_isolation;
  }
  enqueue_wait(all, lock, on, awaited.at);
  return result::success;
}

result query(card& all, card_lock& lock, thread_state& me, const event& asked) {
  if (asked.captured != nullptr) return result::captured_event;
  if (!asked.recorded || poll(all, lock, me, asked.at)) return result::success;
  return result::not_ready;
}

result synchronize(card& all, card_lock& lock, const event& awaited) {
  if (awaited.captured != nullptr) return result::captured_event;
  if (!awaited.recorded) return result::success;
  const device& on = *awaited.at.on->on;
  wait_for(all, lock, awaited.at);
  trim_pools(all, on);
  return on.fault;
}

result elapsed(const event& begin, const event& end, float& milliseconds) {
  constexpr unsigned without_timing = 2;
  if (((begin.flags | end.flags) & without_timing) != 0) return result::invalid_handle;
  if (!begin.recorded || !end.recorded) return result::invalid_handle;
  if (!begin.at.passed() || !end.at.passed()) return result::not_ready;
  const double pieces = static_cast<double>(end.order) - static_cast<double>(begin.order);
  milliseconds = static_cast<float>(pieces / 10);
  return result::success;
}

result launch_host(card& all, card_lock& lock, stream& on, void (*function)(void*), void* data) {
  enqueue(all, lock, on,
          {[function, data] {
             function(data);
             return result::success;
           },
           true, static_cast<int>(node_kind::host)});
  return result::success;
}

}  // namespace headroom::emulation
