// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/stream.hpp>
#include <memory>
#include <unordered_map>
#include <vector>

#include "free_index.hpp"

namespace headroom::caching {

/// The small or the large blocks of one stream.
struct pool {
  pool(free_index::node_store& nodes, stream_id of, std::uint32_t id)
      : stream(of), number(id), small(id % 2 == 0), free(nodes) {}

  stream_id stream;
  std::uint32_t number;
  bool small;
  free_index free;
  std::vector<std::uint64_t> unmapped;  ///< places of blocks without memory, ascending
};

/// Both pools of each stream that has allocated, made when first asked for.
class pool_table {
 public:
  [[nodiscard]] pool& of(stream_id stream, bool small) {
    const std::uint32_t* const near = stream.n < near_.size() ? &near_[stream.n] : nullptr;
    const std::uint32_t pair = near != nullptr && *near != 0 ? *near : pair_of(stream);
    return *all_[pair * 2 - (small ? 2 : 1)];
  }
  [[nodiscard]] pool& operator[](std::uint32_t number) const { return *all_[number]; }
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const std::unique_ptr<pool>& each : all_) visit(*each);
  }

 private:
  static constexpr std::size_t near_limit = 1024;

  std::uint32_t pair_of(stream_id stream) {
    if (stream.n < near_limit && stream.n >= near_.size()) near_.resize(stream.n + std::size_t{1});
    std::uint32_t& pair = stream.n < near_limit ? near_[stream.n] : far_[stream.n];
    if (pair == 0) {
      for (int i = 0; i < 2; ++i) {
        const auto number = static_cast<std::uint32_t>(all_.size());
        all_.push_back(std::make_unique<pool>(nodes_, stream, number));
      }
      pair = static_cast<std::uint32_t>(all_.size() / 2);
    }
    return pair;
  }

  free_index::node_store nodes_;
  std::vector<std::unique_ptr<pool>> all_;  ///< the small and the large one of each pair in turn
  std::vector<std::uint32_t> near_;  ///< pairs, from 1, by stream: the low numbers of devices
  std::unordered_map<std::uint32_t, std::uint32_t> far_;
};

}  // namespace headroom::caching
