// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <map>

#include "address_space.hpp"

namespace headroom::emulation {

/// Where a block's memory came from, and so what may be done with it.
enum class block_kind {
  device,      ///< cudaMalloc and its kind
  pooled,      ///< from a stream-ordered pool
  mapped,      ///< a piece of a reserved range with memory mapped to it
  managed,     ///< on both sides
  pinned,      ///< host memory that the runtime gave
  registered,  ///< host memory of the program's own
  symbol,      ///< a variable of a module
  graph,       ///< taken by a graph's node
};

class memory_pool;

/// A range of addresses with one history.
struct block {
  address begin = 0;
  std::uint64_t size = 0;   ///< as asked for
  std::uint64_t taken = 0;  ///< bytes of the device, after rounding; 0 for shares of a slab
  block_kind kind = block_kind::device;
  int device = 0;
  bool backed = false;          ///< contents are kept
  bool accessible = true;       ///< false for a mapped piece without access
  unsigned flags = 0;           ///< of the call that made it
  address slab = 0;             ///< of a share: where its slab begins
  memory_pool* pool = nullptr;  ///< of a pooled block
  unsigned long long id = 0;

  [[nodiscard]] bool on_host() const {
    return kind == block_kind::pinned || kind == block_kind::registered;
  }
  [[nodiscard]] address end() const { return begin + size; }
};

/// What a range of addresses is.
struct range_view {
  bool whole = false;   ///< all of it is in live blocks that may be accessed, one after the other
  bool backed = false;  ///< all contents are kept
};

/// Every live block by address.
class block_map {
 public:
  /// @return the block that holds the address, or null
  [[nodiscard]] block* find(address at) {
    auto behind = blocks_.upper_bound(at);
    if (behind == blocks_.begin()) return nullptr;
    block& candidate = std::prev(behind)->second;
    return at < candidate.end() ? &candidate : nullptr;
  }
  /// @return the block that begins at the address, or null
  [[nodiscard]] block* at(address begin) {
    const auto found = blocks_.find(begin);
    return found == blocks_.end() ? nullptr : &found->second;
  }
  /// @return the first block that shares an address with the range, or null
  [[nodiscard]] block* overlap(address begin, std::uint64_t size) {
    if (block* holder = find(begin)) return holder;
    const auto behind = blocks_.lower_bound(begin);
    return behind != blocks_.end() && behind->first < begin + size ? &behind->second : nullptr;
  }
  /// @param size  above zero
  [[nodiscard]] range_view look_at(address begin, std::uint64_t size) const {
    range_view seen{true, true};
    auto it = blocks_.upper_bound(begin);
    if (it == blocks_.begin()) return {};
    --it;
    for (address next = begin; next < begin + size; ++it) {
      if (it == blocks_.end() || next < it->first || next >= it->second.end()) return {};
      seen.whole = seen.whole && it->second.accessible;
      seen.backed = seen.backed && it->second.backed;
      next = it->second.end();
      // Only mapped pieces make up a range together.
      if (it->second.kind != block_kind::mapped) {
        seen.whole = seen.whole && next >= begin + size;
        return seen;
      }
    }
    return seen;
  }
  block& insert(const block& fresh) {
    block& kept = blocks_[fresh.begin] = fresh;
    kept.id = ++last_id_;
    return kept;
  }
  void erase(address begin) { blocks_.erase(begin); }
  [[nodiscard]] const std::map<address, block>& all() const { return blocks_; }

 private:
  std::map<address, block> blocks_;
  unsigned long long last_id_ = 0;
};

}  // namespace headroom::emulation
