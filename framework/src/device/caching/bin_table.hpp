// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "ordered_trees.hpp"

namespace headroom::caching {

/// Numbered bins, each an ordered map. Bitmaps find the next bin that holds something. Bins take
/// memory in pages of 64 when the first of them is used.
template <typename Key, std::size_t Pages>
class bin_table {
 public:
  using trees = ordered_trees<Key, 512>;
  using entry = typename trees::entry;
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  void insert(trees& store, std::size_t bin, const Key& key, std::uint64_t value) {
    if (pages_[bin / 64] == nullptr) pages_[bin / 64] = std::make_unique<page>();
    page& holds = *pages_[bin / 64];
    store.insert(holds.bins[bin % 64], key, value);
    holds.occupied |= bit(bin);
    occupied_[bin / 64 / 64] |= bit(bin / 64);
  }
  void erase(trees& store, std::size_t bin, const Key& key) {
    page& holds = *pages_[bin / 64];
    if (!store.erase(holds.bins[bin % 64], key)) return;
    holds.occupied &= ~bit(bin);
    if (holds.occupied == 0) occupied_[bin / 64 / 64] &= ~bit(bin / 64);
  }

  /// Null where the bin is empty.
  [[nodiscard]] typename trees::root root(std::size_t bin) const {
    const page* const holds = pages_[bin / 64].get();
    return holds == nullptr ? nullptr : holds->bins[bin % 64];
  }
  /// The first bin that holds something, from `bin` on, which may be behind the last; or none.
  [[nodiscard]] std::size_t next(std::size_t bin) const {
    std::size_t at = bin / 64;
    if (at >= Pages) return none;
    const std::uint64_t left = pages_[at] == nullptr ? 0 : pages_[at]->occupied >> (bin % 64);
    if (left != 0) return bin + static_cast<std::size_t>(std::countr_zero(left));
    at = next_bit(at + 1);
    if (at == none) return none;
    return at * 64 + static_cast<std::size_t>(std::countr_zero(pages_[at]->occupied));
  }
  /// The last bin that holds something, in front of `bin`; or none.
  [[nodiscard]] std::size_t previous(std::size_t bin) const {
    while (bin-- > 0) {
      if (bin % 64 == 63 && (occupied_[bin / 64 / 64] & bit(bin / 64)) == 0) {
        bin -= 63;  // the whole page is empty
      } else if (root(bin) != nullptr) {
        return bin;
      }
    }
    return none;
  }

 private:
  struct page {
    std::uint64_t occupied = 0;
    std::array<typename trees::root, 64> bins{};
  };

  [[nodiscard]] static std::uint64_t bit(std::size_t of) { return std::uint64_t{1} << (of % 64); }
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
