// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "pending_blocks.hpp"

#include <algorithm>

namespace headroom::caching {
namespace {

/// An index of `all` that is not in use.
template <typename Element>
std::uint32_t index_for(std::vector<Element>& all, std::vector<std::uint32_t>& spare) {
  if (spare.empty()) {
    spare.push_back(static_cast<std::uint32_t>(all.size()));
    all.emplace_back();
    spare.reserve(all.size());
  }
  const std::uint32_t index = spare.back();
  spare.pop_back();
  return index;
}

}  // namespace

void pending_blocks::add_use(std::uint64_t place, stream_id stream) {
  std::uint32_t* list = used_.find(place);
  if (list == nullptr) {
    list = used_.add(place);
    *list = index_for(uses_, spare_uses_);
  }
  std::vector<stream_id>& streams = uses_[*list];
  if (std::find(streams.begin(), streams.end(), stream) == streams.end()) streams.push_back(stream);
}

pending_blocks::queue& pending_blocks::queue_of(stream_id stream) {
  for (queue& each : queues_) {
    if (each.stream == stream) return each;
  }
  return queues_.emplace_back(queue{stream, {}});
}

void pending_blocks::hold(const free_block& freed, bytes requested) {
  const std::uint32_t list = *used_.find(freed.place);
  used_.remove(freed.place);
  std::vector<stream_id>& streams = uses_[list];
  const std::uint32_t held = index_for(held_, spare_held_);
  held_[held] = {freed, requested, static_cast<std::uint32_t>(streams.size())};
  for (const stream_id stream : streams) {
    queue_of(stream).waiting.push_back({clock_.record(stream), held});
    ++waiting_;
  }
  streams.clear();
  spare_uses_.push_back(list);
}

}  // namespace headroom::caching
