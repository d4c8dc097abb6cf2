// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "transfer.hpp"

#include <cstring>
#include <memory>
#include <vector>

#include "memory.hpp"
#include "pool.hpp"

namespace headroom::emulation {
namespace {

enum class place { pageable, pinned, device };

struct end {
  place where = place::pageable;
  bool backed = true;
  bool valid = true;
};

/// @param length   bytes from the first to behind the last touched
/// @param in_turn  the work is being done: memory of a pool may have been given back since, behind
/// it
end look_at(card& all, address at, std::uint64_t length, bool in_turn) {
  const block* holder = all.blocks.find(at);
  const bool on_card = all.addresses.contains(at);
  const range_view seen = holder == nullptr ? range_view{} : all.blocks.look_at(at, length);
  if (on_card && in_turn && !seen.whole && pools_hold(all, at, length)) {
    return {place::device, keeps_contents(all, length), true};
  }
  if (holder == nullptr) return {place::pageable, true, !on_card};
  // A copy may begin in registered host memory and end behind it.
  if (holder->on_host()) return {seen.whole ? place::pinned : place::pageable, true, true};
  return {place::device, seen.backed, seen.whole};
}

std::uint64_t length_of(const transfer_shape& shape, std::uint64_t pitch, std::uint64_t rows) {
  return ((shape.depth - 1) * rows + shape.height - 1) * pitch + shape.width;
}

bool nothing(const transfer_shape& shape) {
  return shape.width == 0 || shape.height == 0 || shape.depth == 0;
}

char* pointer(address at) { return reinterpret_cast<char*>(at); }

/// @param from  0: zeros
void move_rows(const transfer& what, address from) {
  const transfer_shape& shape = what.shape;
  for (std::uint64_t z = 0; z < shape.depth; ++z) {
    for (std::uint64_t y = 0; y < shape.height; ++y) {
      char* const to = pointer(what.to) + (z * shape.to_rows + y) * shape.to_pitch;
      if (from == 0) {
        std::memset(to, 0, shape.width);
      } else {
        std::memmove(to, pointer(from) + (z * shape.from_rows + y) * shape.from_pitch, shape.width);
      }
    }
  }
}

struct both_ends {
  end to, from;
};

both_ends ends_of(card& all, const transfer& what, bool in_turn) {
  const transfer_shape& shape = what.shape;
  return {look_at(all, what.to, length_of(shape, shape.to_pitch, shape.to_rows), in_turn),
          look_at(all, what.from, length_of(shape, shape.from_pitch, shape.from_rows), in_turn)};
}

bool on_device(const card& all, address at, const end& seen) {
  // Managed and pinned memory may stand on either side of a stated direction.
  return seen.where == place::device || seen.where == place::pinned || all.addresses.contains(at);
}

}  // namespace

reach reach_in_turn(card& all, address at, std::uint64_t length) {
  const end seen = look_at(all, at, length, true);
  return {seen.valid && seen.where != place::pageable, seen.backed};
}

transfer plain_transfer(address to, address from, std::uint64_t size, direction way) {
  return {to, from, {size, 1, 1, size, size, 1, 1}, way};
}

result check(card& all, const transfer& what) {
  const auto way = static_cast<unsigned>(what.way);
  if (way > 4) return result::invalid_copy_direction;
  if (nothing(what.shape)) return result::success;
  if (what.to == 0 || what.from == 0) return result::invalid_value;
  if (what.shape.height > 1 &&
      (what.shape.to_pitch < what.shape.width || what.shape.from_pitch < what.shape.width)) {
    return result::invalid_pitch;
  }
  const both_ends ends = ends_of(all, what, false);
  if (!ends.to.valid || !ends.from.valid) return result::invalid_value;
  if (what.way == direction::any) return result::success;
  const bool to_device =
      what.way == direction::host_to_device || what.way == direction::device_to_device;
  const bool from_device =
      what.way == direction::device_to_host || what.way == direction::device_to_device;
  if (to_device && !on_device(all, what.to, ends.to)) return result::invalid_value;
  if (from_device && !on_device(all, what.from, ends.from)) return result::invalid_value;
  const auto only_device = [&](address at, const end& seen) {
    const block* holder = all.blocks.find(at);
    return seen.where == place::device &&
           (holder == nullptr || holder->kind != block_kind::managed);
  };
  if (!to_device && only_device(what.to, ends.to)) return result::invalid_value;
  if (!from_device && only_device(what.from, ends.from)) return result::invalid_value;
  return result::success;
}

result run_transfer(card& all, const transfer& what) {
  if (nothing(what.shape)) return result::success;
  const both_ends ends = ends_of(all, what, true);
  // Memory that was given back after the copy was queued and before it was done.
  if (!ends.to.valid || !ends.from.valid) return result::illegal_address;
  if (ends.to.backed) move_rows(what, ends.from.backed ? what.from : 0);
  return result::success;
}

result copy(card& all, card_lock& lock, stream& on, const transfer& what, bool waits) {
  const result verdict = check(all, what);
  if (verdict != result::success || nothing(what.shape)) return verdict;
  const both_ends ends = ends_of(all, what, false);
  const bool host_only = ends.to.where != place::device && ends.from.where != place::device;
  const bool staged = ends.from.where == place::pageable && ends.to.where == place::device;
  operation queued;
  queued.node = 1;
  if (on.capturing != nullptr) {
    // A graph reads its source each time it runs.
    queued.run = [&all, what] { return run_transfer(all, what); };
    enqueue(all, lock, on, std::move(queued));
    return on.on->fault;
  }
  if (staged && ends.to.backed) {
    // The program may change its buffer as soon as the call returns.
    const transfer_shape& shape = what.shape;
    const char* from = pointer(what.from);
    auto kept = std::make_shared<std::vector<char>>(
        from, from + length_of(shape, shape.from_pitch, shape.from_rows));
    queued.run = [&all, what, kept]() mutable {
      if (!ends_of(all, what, true).to.valid) return result::illegal_address;
      move_rows(what, reinterpret_cast<address>(kept->data()));
      return result::success;
    };
  } else if (ends.to.backed) {
    queued.run = [&all, what] { return run_transfer(all, what); };
  }
  const point behind = enqueue(all, lock, on, std::move(queued));
  const bool to_host = ends.to.where != place::device;
  const bool from_pinned = ends.from.where == place::pinned && !to_host;
  if (host_only || (to_host && (waits || ends.to.where == place::pageable)) ||
      (waits && from_pinned)) {
    wait_for(all, lock, behind);
  }
  return on.on->fault;
}

namespace {

std::uint64_t length_of(const fill_shape& what) {
  return ((what.depth - 1) * what.rows + what.height - 1) * what.pitch + what.width * what.element;
}

}  // namespace

result check(card& all, const fill_shape& what) {
  if (what.width == 0 || what.height == 0 || what.depth == 0) return result::success;
  if (what.height > 1 && what.pitch < what.width * what.element) return result::invalid_value;
  const end seen = look_at(all, what.to, length_of(what), false);
  return seen.valid && seen.where != place::pageable ? result::success : result::invalid_value;
}

result run_fill(card& all, const fill_shape& what) {
  const end seen = look_at(all, what.to, length_of(what), true);
  if (!seen.valid) return result::illegal_address;
  if (!seen.backed) return result::success;
  for (std::uint64_t z = 0; z < what.depth; ++z) {
    for (std::uint64_t y = 0; y < what.height; ++y) {
      char* row = pointer(what.to) + (z * what.rows + y) * what.pitch;
      if (what.element == 1) {
        std::memset(row, static_cast<int>(what.value & 255u), what.width);
        continue;
      }
      for (std::uint64_t x = 0; x < what.width; ++x) {
        std::memcpy(row + x * what.element, &what.value, what.element);
      }
    }
  }
  return result::success;
}

result fill(card& all, card_lock& lock, stream& on, const fill_shape& what, bool waits) {
  const result verdict = check(all, what);
  if (verdict != result::success) return verdict;
  if (what.width == 0 || what.height == 0 || what.depth == 0) return result::success;
  const end seen = look_at(all, what.to, length_of(what), false);
  operation queued;
  queued.node = 2;
  if (seen.backed) queued.run = [&all, what] { return run_fill(all, what); };
  const point behind = enqueue(all, lock, on, std::move(queued));
  // The synchronous call too returns before the fill is done, except on host memory.
  if (waits && seen.where == place::pinned) wait_for(all, lock, behind);
  return on.on->fault;
}

}  // namespace headroom::emulation
