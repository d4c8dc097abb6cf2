// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/stream.hpp>
#include <memory>
#include <unordered_map>
#include <vector>

#include "block.hpp"
#include "free_index.hpp"

namespace headroom::caching {

/// The small or the large blocks of one stream.
struct pool {
  stream_id stream;
  bool small = false;
  free_index free;
  std::vector<block*> unmapped;  ///< in the order of their places
};

/// Both pools of each stream that has allocated, made when first asked for.
class pool_table {
 public:
  [[nodiscard]] pool& of(stream_id stream, bool small) {
    if (stream.n >= near_.size() || near_[stream.n] == nullptr) make(stream);
    pair& found = stream.n < near_.size() ? *near_[stream.n] : *far_.at(stream.n);
    return small ? found.small : found.large;
  }
  template <typename Visit>
  void for_each(bool small, Visit visit) {
    for (const std::unique_ptr<pair>& each : all_) visit(small ? each->small : each->large);
  }

 private:
  struct pair {
    pool small;
    pool large;
  };
  static constexpr std::size_t near_limit = 1024;

  void make(stream_id stream) {
    if (stream.n >= near_limit && far_.count(stream.n) != 0) return;
    all_.push_back(std::make_unique<pair>());
    pair& made = *all_.back();
    made.small.stream = made.large.stream = stream;
    made.small.small = true;
    if (stream.n >= near_limit) {
      far_[stream.n] = &made;
      return;
    }
    if (stream.n >= near_.size()) near_.resize(stream.n + std::size_t{1});
    near_[stream.n] = &made;
  }

  std::vector<std::unique_ptr<pair>> all_;
  std::vector<pair*> near_;  ///< by stream, for the low numbers that devices hand out
  std::unordered_map<std::uint32_t, pair*> far_;
};

}  // namespace headroom::caching
