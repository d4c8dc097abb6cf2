// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "bin_table.hpp"
#include "segment_table.hpp"

namespace headroom::caching {

/// A block in no one's hands.
struct free_block {
  bytes size;  ///< zero: no block
  std::uint64_t place = 0;
  std::uint32_t row = 0;  ///< block_map's hint
  explicit operator bool() const { return size.n != 0; }
};

/// Size, then age and offset: the order of free blocks.
struct size_and_place {
  std::int64_t size;
  std::uint64_t place;
  friend bool operator<(const size_and_place& a, const size_and_place& b) {
    return a.size != b.size ? a.size < b.size : a.place < b.place;
  }
};

/// The free blocks of one pool, ordered by (size, segment age, offset). Sizes below 2 MiB have a
/// bin each, whose blocks are ordered by place; larger ones share 64 bins a power of two.
class free_index {
 private:
  static constexpr std::size_t exact_bins = 4096;  ///< sizes below 2 MiB, in units
  using exact_table = bin_table<std::uint64_t, exact_bins / 64>;
  using ranged_table = bin_table<size_and_place, 48>;

 public:
  /// Where the nodes of many indices come from.
  struct node_store {
    exact_table::trees exact;
    ranged_table::trees ranged;
  };
  explicit free_index(node_store& nodes) : nodes_(nodes) {}

  void insert(const free_block& added) {
    const std::uint64_t units = units_of(added.size);
    if (units < exact_bins) {
      exact_.insert(nodes_.exact, units, added.place, added.row);
    } else {
      ranged_.insert(nodes_.ranged, ranged_bin(units), {added.size.n, added.place}, added.row);
    }
  }
  void erase(bytes size, std::uint64_t place) {
    const std::uint64_t units = units_of(size);
    if (units < exact_bins) {
      exact_.erase(nodes_.exact, units, place);
    } else {
      ranged_.erase(nodes_.ranged, ranged_bin(units), {size.n, place});
    }
  }

  /// The first block of at least this size.
  [[nodiscard]] free_block at_least(bytes size) const {
    const std::uint64_t units = units_of(size);
    if (units >= exact_bins) return ranged_from({size.n, 0});
    return first_of_exact(exact_.next(units));
  }
  /// block_map's hint for the first block of just this size; 0 where there is none, or may be none.
  [[nodiscard]] std::uint32_t row_of_first(bytes size) const {
    const std::uint64_t units = units_of(size);
    if (units >= exact_bins) return 0;
    const auto* const found = exact_.first(units);
    return found == nullptr ? 0 : static_cast<std::uint32_t>(found->value);
  }
  /// The block behind this one in the order.
  [[nodiscard]] free_block after(const free_block& of) const;
  /// The last block that is smaller than this size.
  [[nodiscard]] free_block below(bytes size) const { return last_before({size.n, 0}); }
  /// The block in front of this one in the order.
  [[nodiscard]] free_block before(const free_block& of) const {
    return last_before({of.size.n, of.place});
  }

 private:
  [[nodiscard]] static std::size_t ranged_bin(std::uint64_t units) {
    const auto octave = static_cast<unsigned>(std::bit_width(units)) - 13;
    return octave * std::size_t{64} + ((units >> (octave + 6)) % 64);
  }
  [[nodiscard]] static free_block block_of(std::int64_t size, std::uint64_t place,
                                           std::uint64_t value) {
    return {bytes{size}, place, static_cast<std::uint32_t>(value)};
  }
  [[nodiscard]] static free_block block_of(std::size_t bin, const exact_table::entry& found) {
    return block_of(size_of(bin).n, found.key, found.value);
  }
  [[nodiscard]] static free_block block_of(const ranged_table::entry& found) {
    return block_of(found.key.size, found.key.place, found.value);
  }
  /// Where there is no bin, of the ranged ones.
  [[nodiscard]] free_block first_of_exact(std::size_t bin) const {
    if (bin == exact_table::none) return first_of_ranged(ranged_.next(0));
    return block_of(bin, *exact_.first(bin));
  }
  [[nodiscard]] free_block first_of_ranged(std::size_t bin) const {
    if (bin == ranged_table::none) return {};
    return block_of(*ranged_.first(bin));
  }
  [[nodiscard]] free_block ranged_from(size_and_place key) const;
  [[nodiscard]] free_block last_before(size_and_place key) const;

  node_store& nodes_;
  exact_table exact_;
  ranged_table ranged_;
};

}  // namespace headroom::caching
