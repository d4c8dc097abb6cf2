// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <set>

#include "block.hpp"

namespace headroom::caching {

/// The free blocks of one pool, ordered by (size, segment age, offset).
class free_index {
 public:
  void insert(block& added) { blocks_.insert(&added); }
  void erase(block& gone) { blocks_.erase(&gone); }

  /// The first block of at least this size; null where there is none.
  [[nodiscard]] block* at_least(bytes size) const {
    block key;
    key.size = size;
    return first(blocks_.lower_bound(&key));
  }
  /// The block behind this one in the order; null at the end.
  [[nodiscard]] block* after(block& of) const { return first(blocks_.upper_bound(&of)); }
  /// The last block that is smaller than this size; null where there is none.
  [[nodiscard]] block* below(bytes size) const {
    block key;
    key.size = size;
    const auto found = blocks_.lower_bound(&key);
    return found == blocks_.begin() ? nullptr : *std::prev(found);
  }
  /// The block in front of this one in the order; null at the begin.
  [[nodiscard]] block* before(block& of) const {
    const auto found = blocks_.lower_bound(&of);
    return found == blocks_.begin() ? nullptr : *std::prev(found);
  }

 private:
  struct order {
    bool operator()(const block* a, const block* b) const {
      return a->size != b->size ? a->size < b->size : a->place < b->place;
    }
  };
  using container = std::set<block*, order>;
  [[nodiscard]] block* first(container::const_iterator at) const {
    return at == blocks_.end() ? nullptr : *at;
  }
  container blocks_;
};

}  // namespace headroom::caching
