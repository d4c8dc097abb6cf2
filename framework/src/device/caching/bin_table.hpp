// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "ordered_trees.hpp"

namespace headroom::caching {

/// Numbered bins, each an ordered map. Bitmaps find the next bin that holds something. Bins take
/// memory in pages of 64 when the first of them is used. A bin holds its first entry itself, and
/// only the others in a tree: most bins have no other, and most of what is asked for is a first.
template <typename Key, std::size_t Pages>
class bin_table {
 public:
  using trees = ordered_trees<Key, 512>;
  using entry = typename trees::entry;
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  void insert(trees& store, std::size_t number, const Key& key, std::uint64_t value) {
    if (pages_[number / 64] == nullptr) pages_[number / 64] = std::make_unique<page>();
    page& holds = *pages_[number / 64];
    bin& into = holds.bins[number % 64];
    entry added{key, value};
    if ((holds.occupied & bit_of(number)) == 0) {
      into.first = added;
      holds.occupied |= bit_of(number);
      occupied_[number / 64 / 64] |= bit_of(number / 64);
      return;
    }
    if (key < into.first.key) std::swap(into.first, added);
    store.insert(into.others, added.key, added.value);
  }
  void erase(trees& store, std::size_t number, const Key& key) {
    page& holds = *pages_[number / 64];
    bin& from = holds.bins[number % 64];
    if (from.first.key < key) {
      store.erase(from.others, key);
    } else if (from.others != nullptr) {
      from.first = *trees::first(from.others);
      store.erase(from.others, from.first.key);
    } else {
      holds.occupied &= ~bit_of(number);
      if (holds.occupied == 0) occupied_[number / 64 / 64] &= ~bit_of(number / 64);
    }
  }

  /// The first entry; null where the bin is empty. Valid until the next change, as all that follow.
  [[nodiscard]] const entry* first(std::size_t number) const {
    const bin* const of = find(number);
    return of == nullptr ? nullptr : &of->first;
  }
  /// The last entry; null where the bin is empty.
  [[nodiscard]] const entry* last(std::size_t number) const {
    const bin* const of = find(number);
    if (of == nullptr) return nullptr;
    return of->others == nullptr ? &of->first : trees::last(of->others);
  }
  /// The first entry at or behind the key; null where there is none.
  [[nodiscard]] const entry* at_least(std::size_t number, const Key& key) const {
    const bin* const of = find(number);
    if (of == nullptr) return nullptr;
    return of->first.key < key ? trees::at_least(of->others, key) : &of->first;
  }
  /// The last entry in front of the key; null where there is none.
  [[nodiscard]] const entry* below(std::size_t number, const Key& key) const {
    const bin* const of = find(number);
    if (of == nullptr || !(of->first.key < key)) return nullptr;
    const entry* const other = trees::below(of->others, key);
    return other == nullptr ? &of->first : other;
  }
  /// The first bin that holds something, from `number` on, which may be behind the last; or none.
  [[nodiscard]] std::size_t next(std::size_t number) const {
    std::size_t at = number / 64;
    if (at >= Pages) return none;
    const std::uint64_t left = pages_[at] == nullptr ? 0 : pages_[at]->occupied >> (number % 64);
    if (left != 0) return number + static_cast<std::size_t>(std::countr_zero(left));
    at = next_bit(at + 1);
    if (at == none) return none;
    return at * 64 + static_cast<std::size_t>(std::countr_zero(pages_[at]->occupied));
  }
  /// The last bin that holds something, in front of `number`; or none.
  [[nodiscard]] std::size_t previous(std::size_t number) const {
    while (number-- > 0) {
      if (number % 64 == 63 && (occupied_[number / 64 / 64] & bit_of(number / 64)) == 0) {
        number -= 63;  // the whole page is empty
      } else if (find(number) != nullptr) {
        return number;
      }
    }
    return none;
  }

 private:
  struct bin {
    entry first;
    typename trees::root others;
  };
  struct page {
    std::uint64_t occupied = 0;
    std::array<bin, 64> bins{};
  };

  /// Null where the bin is empty.
  [[nodiscard]] const bin* find(std::size_t number) const {
    const page* const holds = pages_[number / 64].get();
    if (holds == nullptr || (holds->occupied & bit_of(number)) == 0) return nullptr;
    return &holds->bins[number % 64];
  }

  [[nodiscard]] static std::uint64_t bit_of(std::size_t of) {
    return std::uint64_t{1} << (of % 64);
  }
  [[nodiscard]] std::size_t next_bit(std::size_t from) const {
    for (std::size_t word = from / 64; word < occupied_.size(); ++word) {
      std::uint64_t left = occupied_[word];
      if (word == from / 64) left &= ~std::uint64_t{0} << (from % 64);
      if (left != 0) return word * 64 + static_cast<std::size_t>(std::countr_zero(left));
    }
    return none;
  }

  std::array<std::uint64_t, (Pages + 63) / 64> occupied_{};  ///< pages with something
  std::array<std::unique_ptr<page>, Pages> pages_;
};

}  // namespace headroom::caching
