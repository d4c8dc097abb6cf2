// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "virtual_memory.hpp"

#include <algorithm>

#include "memory.hpp"
#include "queue.hpp"

namespace headroom::emulation {
namespace {

bool whole_granules(std::uint64_t number) { return number % granularity == 0; }

}  // namespace

result virtual_memory::reserve(std::uint64_t size, std::uint64_t alignment, address& at) {
  if (size == 0 || !whole_granules(size) || (alignment & (alignment - 1)) != 0) {
    return result::invalid_value;
  }
  at = all_.addresses.reserve(size, std::max(alignment, granularity));
  if (at == 0) return result::out_of_memory;
  ranges_.emplace(at, size);
  return result::success;
}

result virtual_memory::free(address at, std::uint64_t size) {
  const auto range = ranges_.find(at);
  if (range == ranges_.end() || range->second != size) return result::invalid_value;
  const auto inside = mapped_.lower_bound(at);
  if (inside != mapped_.end() && inside->first < at + size) return result::invalid_value;
  ranges_.erase(range);
  all_.addresses.release(at, size);
  return result::success;
}

result virtual_memory::create(device& on, std::uint64_t size, memory_handle& handle) {
  if (size == 0 || !whole_granules(size)) return result::invalid_value;
  if (!on.memory.take(size)) {
    on.memory.refuse(size);
    return result::out_of_memory;
  }
  on.memory.hand_out(static_cast<std::int64_t>(size));
  physical_memory fresh;
  fresh.size = size;
  fresh.device = on.index;
  fresh.backed = keeps_contents(all_, size);
  if (fresh.backed) fresh.place = all_.addresses.shared_place(size);
  handle = ++last_handle_;
  memory_.emplace(handle, fresh);
  return result::success;
}

const physical_memory* virtual_memory::find(memory_handle handle) const {
  const auto found = memory_.find(handle);
  return found == memory_.end() ? nullptr : &found->second;
}

result virtual_memory::retain(address at, memory_handle& handle) {
  const auto behind = mapped_.upper_bound(at);
  if (behind == mapped_.begin()) return result::invalid_value;
  const auto& [begin, piece] = *std::prev(behind);
  if (at >= begin + piece.size) return result::invalid_value;
  ++memory_.at(piece.handle).references;
  handle = piece.handle;
  return result::success;
}

result virtual_memory::release(memory_handle handle) {
  const auto found = memory_.find(handle);
  if (found == memory_.end() || found->second.references == 0) return result::invalid_value;
  --found->second.references;
  drop_if_unused(handle);
  return result::success;
}

void virtual_memory::drop_if_unused(memory_handle handle) {
  const auto found = memory_.find(handle);
  const physical_memory& piece = found->second;
  if (piece.references > 0 || piece.mapped > 0) return;
  device_memory& from = all_.devices[static_cast<std::size_t>(piece.device)]->memory;
  from.hand_out(-static_cast<std::int64_t>(piece.size));
  from.give_back(piece.size);
  if (piece.backed) all_.addresses.drop_shared(piece.place, piece.size);
  memory_.erase(found);
}

result virtual_memory::map(address at, std::uint64_t size, std::uint64_t offset,
                           memory_handle handle) {
  const auto found = memory_.find(handle);
  if (found == memory_.end() || offset != 0 || size != found->second.size || !whole_granules(at)) {
    return result::invalid_value;
  }
  const auto behind = ranges_.upper_bound(at);
  if (behind == ranges_.begin()) return result::invalid_value;
  const auto& [begin, length] = *std::prev(behind);
  if (at + size > begin + length || all_.blocks.overlap(at, size) != nullptr) {
    return result::invalid_value;
  }
  physical_memory& memory = found->second;
  if (memory.backed && !all_.addresses.back_shared(at, size, memory.place)) {
    return result::out_of_memory;
  }
  ++memory.mapped;
  mapped_.emplace(at, mapping{size, handle, {}});
  block fresh;
  fresh.begin = at;
  fresh.size = size;
  fresh.kind = block_kind::mapped;
  fresh.device = memory.device;
  fresh.backed = memory.backed;
  fresh.accessible = false;
  all_.blocks.insert(fresh);
  return result::success;
}

std::vector<virtual_memory::mappings::iterator> virtual_memory::pieces(address at,
                                                                       std::uint64_t size) {
  std::vector<mappings::iterator> found;
  address next = at;
  for (auto it = mapped_.find(at); it != mapped_.end() && it->first == next; ++it) {
    found.push_back(it);
    next += it->second.size;
    if (next >= at + size) break;
  }
  if (next != at + size) found.clear();
  return found;
}

result virtual_memory::unmap(card_lock& lock, address at, std::uint64_t size) {
  if (pieces(at, size).empty()) return result::invalid_value;
  for (const auto& each : all_.devices) wait_for_device(all_, lock, *each);
  for (const auto piece : pieces(at, size)) {
    const memory_handle handle = piece->second.handle;
    all_.addresses.clear(piece->first, piece->second.size);
    all_.blocks.erase(piece->first);
    mapped_.erase(piece);
    --memory_.at(handle).mapped;
    drop_if_unused(handle);
  }
  return result::success;
}

result virtual_memory::set_access(address at, std::uint64_t size, int device, unsigned flags) {
  if (flags != 0 && flags != 1 && flags != 3) return result::invalid_value;
  if (device < 0 || device >= all_.visible) return result::invalid_device;
  const auto found = pieces(at, size);
  if (found.empty()) return result::invalid_value;
  for (const auto piece : found) {
    piece->second.access[device] = flags;
    bool any = false;
    for (const auto& [who, allowed] : piece->second.access) any = any || allowed != 0;
    all_.blocks.at(piece->first)->accessible = any;
  }
  return result::success;
}

unsigned virtual_memory::access(address at, int device) const {
  const auto behind = mapped_.upper_bound(at);
  if (behind == mapped_.begin()) return 0;
  const auto& [begin, piece] = *std::prev(behind);
  if (at >= begin + piece.size) return 0;
  const auto allowed = piece.access.find(device);
  return allowed == piece.access.end() ? 0 : allowed->second;
}

}  // namespace headroom::emulation
