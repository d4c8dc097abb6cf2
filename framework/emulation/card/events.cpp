// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "events.hpp"

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
  const point at = enqueue(all, lock, on, {});
  what.recorded = true;
  what.at = at;
  what.order = all.order;
  what.captured = nullptr;
  what.nodes.clear();
  return result::success;
}

}  // namespace headroom::emulation
