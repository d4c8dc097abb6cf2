// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "pending_blocks.hpp"

#include <algorithm>

namespace headroom::caching {

void pending_blocks::add_use(block& used, stream_id stream) {
  if (used.uses == 0) {
    if (spare_uses_.empty()) {
      used.uses = static_cast<std::uint32_t>(uses_.size());
      uses_.emplace_back();
      spare_uses_.reserve(uses_.size());
    } else {
      used.uses = spare_uses_.back();
      spare_uses_.pop_back();
    }
  }
  std::vector<stream_id>& streams = uses_[used.uses];
  if (std::find(streams.begin(), streams.end(), stream) == streams.end()) streams.push_back(stream);
}

pending_blocks::queue& pending_blocks::queue_of(stream_id stream) {
  for (queue& each : queues_) {
    if (each.stream == stream) return each;
  }
  return queues_.emplace_back(queue{stream, {}});
}

void pending_blocks::hold(block& freed) {
  const std::uint32_t list = freed.uses;
  std::vector<stream_id>& streams = uses_[list];
  freed.state = block_state::pending;
  freed.uses = static_cast<std::uint32_t>(streams.size());
  for (const stream_id stream : streams) {
    queue_of(stream).waiting.push_back({clock_.record(stream), &freed});
    ++waiting_;
  }
  streams.clear();
  spare_uses_.push_back(list);
}

}  // namespace headroom::caching
