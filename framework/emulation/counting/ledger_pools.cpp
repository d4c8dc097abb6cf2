// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Pools, graphs, and memory without an address.
#include <algorithm>

#include "asked.hpp"
#include "ledger.hpp"

namespace headroom::counting {
namespace {

std::int64_t difference(std::uint64_t now, std::uint64_t before) {
  return static_cast<std::int64_t>(now) - static_cast<std::int64_t>(before);
}

}  // namespace

void ledger::read(known_pool& pool) {
  if (pool.destroyed) return;
  const std::optional<pool_levels> now = ask_pool(pool.handle, pool.of == level::runtime);
  if (!now) return;
  change_taken(pool.device, difference(now->reserved, pool.reserved));
  change_handed_out(pool.device, difference(now->used, pool.used));
  pool.reserved = now->reserved;
  pool.used = now->used;
}

void ledger::read(int device, graph_memory& graphs) {
  const std::optional<graph_levels> now = ask_graphs(device, *graphs.of == level::runtime);
  if (!now) return;
  change_taken(device, difference(now->reserved, graphs.reserved));
  // What a graph took and gave back within a launch shows in the high mark alone.
  const std::uint64_t top =
      now->high > graphs.high ? std::max(now->high, now->used) : std::max(now->used, graphs.used);
  change_handed_out(device, difference(top, graphs.used));
  change_handed_out(device, difference(now->used, top));
  graphs.reserved = now->reserved;
  graphs.used = now->used;
  graphs.high = now->high;
}

void ledger::refresh() {
  for (known_pool& each : pools_) read(each);
  for (int device = 0; any_graph_ && device < most_devices; ++device) {
    graph_memory& graphs = graphs_[static_cast<std::size_t>(device)];
    if (graphs.of) read(device, graphs);
  }
}

void ledger::take_pooled(int device, address at, std::uint64_t size, const void* pool, level of) {
  if (at == 0 || size == 0) return;
  auto known = std::find_if(pools_.begin(), pools_.end(), [&](const known_pool& each) {
    return each.handle == pool && !each.destroyed;
  });
  if (known == pools_.end()) {
    pools_.push_back({pool, device, of});
    known = std::prev(pools_.end());
  }
  ++known->blocks;
  blocks_[at] = {at, size, known->device, pool};
  refresh();
}

void ledger::pool_destroyed(const void* pool) {
  for (known_pool& each : pools_) {
    if (each.handle != pool || each.destroyed) continue;
    each.destroyed = true;
    if (each.blocks > 0) return;
    change_taken(each.device, -static_cast<std::int64_t>(each.reserved));
    std::erase_if(pools_, [&](const known_pool& one) { return &one == &each; });
    return;
  }
}

void ledger::graph_launched(int device, level of) {
  if (device < 0 || device >= most_devices) return;
  graph_memory& graphs = graphs_[static_cast<std::size_t>(device)];
  if (!graphs.of) {
    const std::optional<graph_levels> now = ask_graphs(device, of == level::runtime);
    if (!now || now->reserved == 0) return;
    graphs.of = of;
    any_graph_ = true;
  }
  refresh();
}

void ledger::create(int device, std::uint64_t handle, std::uint64_t size) {
  refresh();
  physical_[handle] = {size, device, 1, 0};
  change_taken(device, static_cast<std::int64_t>(size));
  change_handed_out(device, static_cast<std::int64_t>(size));
}

void ledger::retain(std::uint64_t handle) {
  const auto found = physical_.find(handle);
  if (found != physical_.end()) ++found->second.references;
}

void ledger::release(std::uint64_t handle) {
  const auto found = physical_.find(handle);
  if (found == physical_.end()) return;
  --found->second.references;
  drop_if_unused(handle);
}

void ledger::map(address at, std::uint64_t size, std::uint64_t handle) {
  const auto found = physical_.find(handle);
  if (found == physical_.end()) return;  // another process's, brought in
  ++found->second.mapped;
  mappings_[at] = {size, handle};
}

void ledger::unmap(address at, std::uint64_t size) {
  for (address next = at; next < at + size;) {
    const auto found = mappings_.find(next);
    if (found == mappings_.end()) return;
    const mapping piece = found->second;
    mappings_.erase(found);
    next += piece.size;
    const auto memory = physical_.find(piece.handle);
    if (memory == physical_.end()) continue;
    --memory->second.mapped;
    drop_if_unused(piece.handle);
  }
}

void ledger::drop_if_unused(std::uint64_t handle) {
  const auto found = physical_.find(handle);
  const physical piece = found->second;
  if (piece.references > 0 || piece.mapped > 0) return;
  physical_.erase(found);
  change_handed_out(piece.device, -static_cast<std::int64_t>(piece.size));
  change_taken(piece.device, -static_cast<std::int64_t>(piece.size));
}

}  // namespace headroom::counting
