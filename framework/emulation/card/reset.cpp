// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "reset.hpp"

#include "loaded_module.hpp"
#include "memory.hpp"
#include "pool.hpp"

namespace headroom::emulation {

void reset(card& all, card_lock& lock, device& on) {
  wait_for_device(all, lock, on);
  std::vector<address> taken;
  for (const auto& [at, each] : all.blocks.all()) {
    const bool gone = each.kind == block_kind::device || each.kind == block_kind::managed ||
                      each.kind == block_kind::pooled;
    if (gone && each.device == on.index) taken.push_back(at);
  }
  for (const address at : taken) static_cast<void>(give_back(all, lock, at));
  for (const auto& each : all.pools) {
    if (&each->owner() == &on) each->trim(0);
  }
  for (const auto& each : on.streams) {
    if (each->live) destroy_stream(all, *each);
  }
  this_thread().own_streams.erase(on.index);
  unload_modules(all, on);
  on.peers.clear();
  if (on.active) on.memory.give_back(all.set.context, true);
  on.active = false;
}

}  // namespace headroom::emulation
