// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/stream.hpp>
#include <vector>

#include "../flat_map.hpp"
#include "free_index.hpp"
#include "ring.hpp"

namespace headroom::caching {

/// A freed block that another stream still uses.
struct pending_block {
  free_block block;
  bytes requested;
  std::uint32_t points = 0;  ///< to pass
};

/// Which other streams use live blocks, and the freed blocks that wait for their streams.
class pending_blocks {
 public:
  explicit pending_blocks(stream_clock& clock) : clock_(clock) {}

  /// The live block at the place is also used on `stream`; repeating it changes nothing.
  void add_use(std::uint64_t place, stream_id stream);
  /// Turns the uses of a freed block into points to pass. @pre the block has uses
  void hold(const free_block& freed, bytes requested);
  [[nodiscard]] bool empty() const { return waiting_ == 0; }

  /// What waits is found to have passed at the next look.
  void segment_given_back() { clock_.segment_given_back(); }

  /// Calls release(pending_block) for each block all of whose points have been passed by now.
  template <typename Release>
  void look(Release release) {
    for (queue& each : queues_) {
      while (!each.waiting.empty() && clock_.passed(each.waiting.front().point)) {
        pass_front(each, release);
      }
    }
  }
  /// Waits for every point, then as look().
  template <typename Release>
  void wait(Release release) {
    for (queue& each : queues_) {
      while (!each.waiting.empty()) {
        clock_.wait(each.waiting.front().point);
        pass_front(each, release);
      }
    }
  }

 private:
  struct waiting_block {
    stream_point point;
    std::uint32_t held;  ///< index into held_
  };
  struct queue {
    stream_id stream;
    ring<waiting_block> waiting;
  };

  template <typename Release>
  void pass_front(queue& from, Release release) {
    const std::uint32_t held = from.waiting.front().held;
    from.waiting.pop_front();
    --waiting_;
    if (--held_[held].points > 0) return;
    spare_held_.push_back(held);
    const pending_block passed = held_[held];
    release(passed);
  }
  [[nodiscard]] queue& queue_of(stream_id stream);

  stream_clock& clock_;
  std::vector<queue> queues_;
  std::size_t waiting_ = 0;  ///< in all queues
  std::vector<pending_block> held_;
  std::vector<std::uint32_t> spare_held_;
  flat_map<std::uint32_t> used_;  ///< from places of live blocks to indices into uses_
  std::vector<std::vector<stream_id>> uses_;
  std::vector<std::uint32_t> spare_uses_;
};

}  // namespace headroom::caching
