// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "large_pages.hpp"

namespace headroom::caching {

/// Many ordered maps from keys to numbers, whose nodes come from one store: B+ trees, most of them
/// a single node. Nothing is allocated in steady state. Nodes are not filled up again when entries
/// go, only dropped when they are empty.
template <typename Key, std::size_t NodeBytes>
class ordered_trees {
  struct node;

 public:
  using root = node*;  ///< null: the empty map
  struct entry {
    Key key;
    std::uint64_t value;
  };

  /// @pre the key is not there
  void insert(root& of, const Key& key, std::uint64_t value) {
    if (of == nullptr) of = make(0);
    if (of->level == 0 && of->count < capacity) {
      shift_in(*of, position(*of, key), {key, value});
      return;
    }
    insert_deep(of, key, value);
  }

  /// @return whether the map is empty now; @pre the key is there
  bool erase(root& of, const Key& key) {
    if (of->level > 0) return erase_deep(of, key), false;
    shift_out(*of, position(*of, key));
    if (of->count > 0) return false;
    drop(of);
    of = nullptr;
    return true;
  }

  /// The first entry; null in the empty map. Valid until the next change, as all that follow.
  [[nodiscard]] static const entry* first(root of) {
    if (of == nullptr) return nullptr;
    while (of->level > 0) of = child(*of, 0);
    return &of->entries[0];
  }
  /// The last entry; null in the empty map.
  [[nodiscard]] static const entry* last(root of) {
    if (of == nullptr) return nullptr;
    while (of->level > 0) of = child(*of, of->count - 1U);
    return &of->entries[of->count - 1U];
  }
  /// The first entry at or behind the key; null where there is none.
  [[nodiscard]] static const entry* at_least(root of, const Key& key) {
    if (of == nullptr) return nullptr;
    root behind = nullptr;  // the nearest subtree behind the way down
    while (of->level > 0) {
      const std::size_t index = child_of(*of, key);
      if (index + 1 < of->count) behind = child(*of, index + 1);
      of = child(*of, index);
    }
    const std::size_t place = position(*of, key);
    return place < of->count ? &of->entries[place] : first(behind);
  }
  /// The last entry in front of the key; null where there is none.
  [[nodiscard]] static const entry* below(root of, const Key& key) {
    if (of == nullptr) return nullptr;
    root before = nullptr;  // the nearest subtree in front of the way down
    while (of->level > 0) {
      const std::size_t index = child_of(*of, key);
      if (index > 0) before = child(*of, index - 1);
      of = child(*of, index);
    }
    const std::size_t place = position(*of, key);
    return place > 0 ? &of->entries[place - 1] : last(before);
  }

 private:
  static constexpr std::size_t capacity = (NodeBytes - 8) / sizeof(entry);
  static constexpr std::size_t few_nodes = 32;
  static constexpr std::size_t few_chunks = 64;
  static constexpr std::size_t deepest = 40;

  struct alignas(64) node {
    std::uint32_t count;
    std::uint32_t level;  ///< 0: entries of the map; else values are nodes, keys their begins
    std::array<entry, capacity> entries;
  };
  static_assert(sizeof(node) == NodeBytes);
  struct step {
    root at;
    std::size_t index;
  };
  struct path {
    std::array<step, deepest> steps;
    std::size_t size = 0;
  };

  [[nodiscard]] static root child(const node& of, std::size_t index) {
    return reinterpret_cast<root>(static_cast<std::uintptr_t>(of.entries[index].value));
  }
  [[nodiscard]] static entry entry_of(root of) {
    return {of->entries[0].key, reinterpret_cast<std::uintptr_t>(of)};
  }

  /// Of the first entry at or behind the key.
  [[nodiscard]] static std::size_t position(const node& in, const Key& key) {
    std::size_t low = 0;
    std::size_t count = in.count;
    while (count > 4) {
      const std::size_t half = count / 2;
      const bool behind = in.entries[low + half].key < key;
      low = behind ? low + half + 1 : low;
      count = behind ? count - half - 1 : half;
    }
    while (count > 0 && in.entries[low].key < key) {
      ++low;
      --count;
    }
    return low;
  }
  /// The child that holds the key, if any does. The first child's begin is not looked at: what is
  /// in front of all begins is there too.
  [[nodiscard]] static std::size_t child_of(const node& in, const Key& key) {
    std::size_t low = 1;
    std::size_t count = in.count - std::size_t{1};
    while (count > 0) {
      const std::size_t half = count / 2;
      const bool in_front = key < in.entries[low + half].key;
      low = in_front ? low : low + half + 1;
      count = in_front ? half : count - half - 1;
    }
    return low - 1;
  }

  static void shift_in(node& into, std::size_t place, const entry& added) {
    for (std::size_t i = into.count; i > place; --i) into.entries[i] = into.entries[i - 1];
    into.entries[place] = added;
    ++into.count;
  }
  static void shift_out(node& from, std::size_t place) {
    --from.count;
    for (std::size_t i = place; i < from.count; ++i) from.entries[i] = from.entries[i + 1];
  }

  /// To the leaf for the key; the way holds the inner nodes.
  static root descend(root of, const Key& key, path& way) {
    while (of->level > 0) {
      const std::size_t index = child_of(*of, key);
      way.steps[way.size++] = {of, index};
      of = child(*of, index);
    }
    return of;
  }

  void insert_deep(root& of, const Key& key, std::uint64_t value) {
    path way;
    root at = descend(of, key, way);
    std::size_t place = position(*at, key);
    entry added{key, value};
    while (at->count == capacity) {  // split full nodes on the way up
      added = entry_of(split(*at, place, added));
      if (way.size == 0) {
        const root low = at;
        at = of = make(low->level + 1);
        shift_in(*at, 0, entry_of(low));
        place = 1;
      } else {
        at = way.steps[--way.size].at;
        place = way.steps[way.size].index + 1;
      }
    }
    shift_in(*at, place, added);
  }

  void erase_deep(root& of, const Key& key) {
    path way;
    root at = descend(of, key, way);
    shift_out(*at, position(*at, key));
    if (at->count > capacity / 4) return;
    step parent = way.steps[--way.size];
    if (at->count == 0) {
      drop(at);
      // A parent may be left empty too, but not the root: it has two children or more.
      for (shift_out(*parent.at, parent.index); parent.at->count == 0;) {
        drop(parent.at);
        parent = way.steps[--way.size];
        shift_out(*parent.at, parent.index);
      }
    } else if (parent.index + 1 < parent.at->count) {
      const root behind = child(*parent.at, parent.index + 1);
      if (at->count + behind->count > capacity * 3 / 4) return;
      for (std::size_t i = 0; i < behind->count; ++i) at->entries[at->count++] = behind->entries[i];
      drop(behind);
      shift_out(*parent.at, parent.index + 1);
    }
    while (of->level > 0 && of->count == 1) {
      const root lower = child(*of, 0);
      drop(of);
      of = lower;
    }
  }

  /// Puts the entry into a full node, whose upper half becomes the node that is returned. What is
  /// put behind all entries has the new node for itself: ascending keys leave full nodes.
  root split(node& low, std::size_t place, const entry& added) {
    const root high = make(low.level);
    const std::size_t kept = place == capacity ? capacity : capacity / 2;
    for (std::size_t i = kept; i < capacity; ++i) high->entries[i - kept] = low.entries[i];
    high->count = static_cast<std::uint32_t>(capacity - kept);
    low.count = static_cast<std::uint32_t>(kept);
    if (place < kept) {
      shift_in(low, place, added);
    } else {
      shift_in(*high, place - kept, added);
    }
    return high;
  }

  void grow() {
    // The first nodes take little; where there are many, they come by large pages.
    node* first = nullptr;
    std::size_t count = few_nodes;
    if (first_nodes_.size() < few_chunks) {
      first_nodes_.push_back(std::make_unique_for_overwrite<node[]>(count));
      first = first_nodes_.back().get();
    } else {
      count = large_page / sizeof(node);
      more_nodes_.push_back(take_large_page());
      first = new (more_nodes_.back().get()) node[count];
    }
    nodes_ += count;
    spare_.reserve(nodes_);
    for (std::size_t i = count; i-- > 0;) spare_.push_back(first + i);
  }
  void drop(root gone) { spare_.push_back(gone); }
  root make(std::uint32_t level) {
    if (spare_.empty()) grow();
    const root made = spare_.back();
    spare_.pop_back();
    made->count = 0;
    made->level = level;
    return made;
  }

  std::vector<std::unique_ptr<node[]>> first_nodes_;
  std::vector<pages> more_nodes_;
  std::size_t nodes_ = 0;
  std::vector<root> spare_;  ///< nodes in no tree
};

}  // namespace headroom::caching
