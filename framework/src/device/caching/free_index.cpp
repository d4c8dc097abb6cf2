// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "free_index.hpp"

namespace headroom::caching {

free_block free_index::after(const free_block& of) const {
  const std::uint64_t units = units_of(of.size);
  if (units >= exact_bins) return ranged_from({of.size.n, of.place + 1});
  const auto* const found = exact_.at_least(units, of.place + 1);
  if (found != nullptr) return block_of(units, *found);
  return first_of_exact(exact_.next(units + 1));
}

free_block free_index::ranged_from(size_and_place key) const {
  const std::size_t bin = ranged_bin(units_of(bytes{key.size}));
  const auto* const found = ranged_.at_least(bin, key);
  if (found != nullptr) return block_of(*found);
  return first_of_ranged(ranged_.next(bin + 1));
}

free_block free_index::last_before(size_and_place key) const {
  const std::uint64_t units = units_of(bytes{key.size});
  std::size_t bin = exact_bins;
  if (units >= exact_bins) {
    bin = ranged_bin(units);
    const auto* const found = ranged_.below(bin, key);
    if (found != nullptr) return block_of(*found);
    bin = ranged_.previous(bin);
    if (bin != ranged_table::none) return block_of(*ranged_.last(bin));
    bin = exact_bins;
  } else {
    bin = units;
    const auto* const found = exact_.below(bin, key.place);
    if (found != nullptr) return block_of(bin, *found);
  }
  bin = exact_.previous(bin);
  if (bin == exact_table::none) return {};
  return block_of(bin, *exact_.last(bin));
}

}  // namespace headroom::caching
