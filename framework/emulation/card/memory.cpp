// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "memory.hpp"

#include <sys/mman.h>

#include <cstring>

#include "calls.hpp"
#include "graph.hpp"
#include "pool.hpp"

namespace headroom::emulation {
namespace {

constexpr std::uint64_t share_unit = 512;

bool take_granules(card& all, device& on, std::uint64_t size, address& at) {
  if (!on.memory.take(size)) return false;
  at = all.addresses.reserve(size);
  if (at != 0 && (!keeps_contents(all, size) || all.addresses.back(at, size))) return true;
  if (at != 0) all.addresses.release(at, size);
  on.memory.give_back(size);
  return false;
}

void give_back_granules(card& all, device& on, address at, std::uint64_t size) {
  all.addresses.release(at, size);
  on.memory.give_back(size);
}

/// First fit in the oldest slab that has room.
address take_share(card& all, device& on, std::uint64_t size) {
  for (auto& [begin, each] : on.slabs) {
    for (const auto& [offset, length] : each.free) {
      if (length < size) continue;
      const auto [at, whole] = std::pair(offset, length);
      each.free.erase(offset);
      if (whole > size) each.free.emplace(at + size, whole - size);
      ++each.shares;
      return begin + at;
    }
  }
  address begin = 0;
  if (!take_granules(all, on, granularity, begin)) return 0;
  slab& fresh = on.slabs[begin];
  fresh.begin = begin;
  fresh.shares = 1;
  fresh.free.emplace(size, granularity - size);
  return begin;
}

void give_back_share(card& all, device& on, const block& which) {
  slab& from = on.slabs.at(which.slab);
  if (--from.shares == 0) {
    const address begin = from.begin;
    on.slabs.erase(begin);
    give_back_granules(all, on, begin, granularity);
    return;
  }
  std::uint64_t offset = which.begin - from.begin;
  std::uint64_t length = round_up(which.size, share_unit);
  auto behind = from.free.lower_bound(offset);
  if (behind != from.free.end() && behind->first == offset + length) {
    length += behind->second;
    behind = from.free.erase(behind);
  }
  if (behind != from.free.begin()) {
    const auto before = std::prev(behind);
    if (before->first + before->second == offset) {
      before->second += length;
      return;
    }
  }
  from.free.emplace(offset, length);
}

block described(device& on, address at, std::uint64_t size, block_kind kind) {
  block fresh;
  fresh.begin = at;
  fresh.size = size;
  fresh.kind = kind;
  fresh.device = on.index;
  return fresh;
}

result refused(device& on, std::uint64_t size) {
  on.memory.refuse(size);
  return result::out_of_memory;
}

}  // namespace

bool keeps_contents(const card& all, std::uint64_t taken) {
  return all.set.behind == contents::all ||
         (all.set.behind == contents::small && taken <= granularity);
}

result take(card& all, device& on, std::uint64_t size, address& at) {
  at = 0;
  if (size == 0) return result::success;
  if (size > on.memory.capacity()) return refused(on, size);
  block fresh = described(on, 0, size, block_kind::device);
  if (size <= granularity / 2) {
    fresh.begin = take_share(all, on, round_up(size, share_unit));
    if (fresh.begin == 0) return refused(on, size);
    fresh.slab = fresh.begin / granularity * granularity;
    fresh.backed = keeps_contents(all, granularity);
  } else {
    fresh.taken = round_up(size, granularity);
    if (!take_granules(all, on, fresh.taken, fresh.begin)) return refused(on, size);
    fresh.backed = keeps_contents(all, fresh.taken);
  }
  on.memory.hand_out(static_cast<std::int64_t>(size));
  at = all.blocks.insert(fresh).begin;
  return result::success;
}

result give_back(card& all, card_lock& lock, address at) {
  if (at == 0) return result::success;
  const block* found = all.blocks.at(at);
  if (found == nullptr) return result::invalid_value;
  device& on = *all.devices[static_cast<std::size_t>(found->device)];
  if (found->kind != block_kind::pooled) wait_for_device(all, lock, on);
  const result verdict = release_block(all, at);
  return verdict == result::success ? on.fault : verdict;
}

result release_block(card& all, address at) {
  const block* found = all.blocks.at(at);
  if (found == nullptr) return result::invalid_value;
  const block gone = *found;
  device& on = *all.devices[static_cast<std::size_t>(gone.device)];
  switch (gone.kind) {
    case block_kind::pooled:
      gone.pool->give_back(gone, {});
      end_if_unused(all, *gone.pool);
      return result::success;
    case block_kind::graph:
      return give_back_graph_memory(all, at);
    case block_kind::managed:
      all.managed_bytes -= gone.size;
      all.addresses.release(at, gone.size);
      break;
    case block_kind::device:
      on.memory.hand_out(-static_cast<std::int64_t>(gone.size));
      if (gone.slab != 0) {
        give_back_share(all, on, gone);
      } else {
        give_back_granules(all, on, at, gone.taken);
      }
      break;
    default:
      return result::invalid_value;
  }
  all.blocks.erase(at);
  return result::success;
}

result take_managed(card& all, device& on, std::uint64_t size, unsigned flags, address& at) {
  constexpr unsigned global = 1;
  constexpr unsigned host = 2;
  if (size == 0 || (flags != global && flags != host)) return result::invalid_value;
  at = all.addresses.reserve(size);
  if (at == 0) return result::out_of_memory;
  if (!all.addresses.back(at, round_up(size, granularity))) {
    all.addresses.release(at, size);
    return result::out_of_memory;
  }
  block fresh = described(on, at, size, block_kind::managed);
  fresh.backed = true;
  fresh.flags = flags;
  all.blocks.insert(fresh);
  all.managed_bytes += size;
  return result::success;
}

result take_host(card& all, device& on, std::uint64_t size, unsigned flags, address& at) {
  at = 0;
  if (size == 0) return result::success;
  if ((flags & ~7u) != 0) return result::invalid_value;
  void* memory = mmap(nullptr, round_up(size, 4096), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return result::out_of_memory;
  block fresh = described(on, reinterpret_cast<address>(memory), size, block_kind::pinned);
  fresh.backed = true;
  fresh.flags = flags;
  at = all.blocks.insert(fresh).begin;
  all.host_bytes += size;
  return result::success;
}

result give_back_host(card& all, card_lock& lock, address at) {
  if (at == 0) return result::success;
  const block* found = all.blocks.at(at);
  if (found == nullptr || found->kind != block_kind::pinned) return result::invalid_value;
  for (const auto& each : all.devices) wait_for_device(all, lock, *each);
  found = all.blocks.at(at);
  if (found == nullptr) return result::invalid_value;
  const std::uint64_t size = found->size;
  all.blocks.erase(at);
  all.host_bytes -= size;
  munmap(reinterpret_cast<void*>(at), round_up(size, 4096));
  return result::success;
}

result register_host(card& all, device& on, address at, std::uint64_t size, unsigned flags) {
  if (at == 0 || size == 0 || (flags & ~15u) != 0) return result::invalid_value;
  if (all.addresses.contains(at)) return result::invalid_value;
  if (all.blocks.overlap(at, size) != nullptr) return result::host_already_registered;
  block fresh = described(on, at, size, block_kind::registered);
  fresh.backed = true;
  fresh.flags = flags;
  all.blocks.insert(fresh);
  return result::success;
}

result unregister_host(card& all, card_lock& lock, address at) {
  const block* found = all.blocks.at(at);
  if (found == nullptr || found->kind != block_kind::registered) return result::host_not_registered;
  for (const auto& each : all.devices) wait_for_device(all, lock, *each);
  all.blocks.erase(at);
  return result::success;
}

result address_of(card& all, device& on, variable& of, address& at) {
  address& known = of.addresses[on.index];
  if (known == 0) {
    // Modules' variables are not counted: they are part of what a context takes.
    const address begin = all.addresses.reserve(of.size);
    if (begin == 0 || !all.addresses.back(begin, round_up(of.size, granularity))) {
      return result::out_of_memory;
    }
    block fresh = described(on, begin, of.size, block_kind::symbol);
    fresh.backed = true;
    all.blocks.insert(fresh);
    std::memcpy(reinterpret_cast<void*>(begin), of.contents.data(), of.contents.size());
    known = begin;
  }
  at = known;
  return result::success;
}

result place_managed_variables(card& all, device& on) {
  for (variable* each : modules().managed_variables()) {
    if (*each->managed_pointer != nullptr) continue;
    address at = 0;
    const result answer = take_managed(all, on, each->size, 1, at);
    if (answer != result::success) return answer;
    note_uncounted("libcudart", "__cudaRegisterManagedVar");
    *each->managed_pointer = reinterpret_cast<void*>(at);
    each->addresses[on.index] = at;
  }
  return result::success;
}

}  // namespace headroom::emulation
