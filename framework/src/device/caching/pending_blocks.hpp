// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <deque>
#include <headroom/device/stream.hpp>
#include <vector>

#include "block.hpp"

namespace headroom::caching {

/// Which other streams use live blocks, and the freed blocks that wait for their streams.
class pending_blocks {
 public:
  explicit pending_blocks(stream_clock& clock) : clock_(clock) {}

  /// The live block is also used on `stream`; repeating it changes nothing.
  void add_use(block& used, stream_id stream);
  /// Turns the uses of a freed block into points to pass. @pre the block has uses
  void hold(block& freed);
  [[nodiscard]] bool empty() const { return waiting_ == 0; }

  /// Calls release(block&) for each block all of whose points have been passed by now.
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
    block* held;
  };
  struct queue {
    stream_id stream;
    std::deque<waiting_block> waiting;
  };

  template <typename Release>
  void pass_front(queue& from, Release release) {
    block& held = *from.waiting.front().held;
    from.waiting.pop_front();
    --waiting_;
    if (--held.uses == 0) release(held);
  }
  queue& queue_of(stream_id stream);

  stream_clock& clock_;
  std::vector<queue> queues_;
  std::size_t waiting_ = 0;
  std::vector<std::vector<stream_id>> uses_{1};  ///< by block::uses of live blocks; 0 is not used
  std::vector<std::uint32_t> spare_uses_;
};

}  // namespace headroom::caching
