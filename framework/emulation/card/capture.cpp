// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "capture.hpp"

#include <algorithm>
#include <unordered_set>

namespace headroom::emulation {

capture::capture(unsigned long long id, stream& origin, capture_mode mode,
                 std::unique_ptr<graph> into)
    : id_(id), origin_(&origin), mode_(mode), graph_(std::move(into)) {}

graph_node& capture::add(const stream& on, node_kind kind) {
  std::vector<graph_node*>& ends = ends_[&on];
  graph_node& fresh = graph_->add(kind, ends);
  ends = {&fresh};
  return fresh;
}

void capture::join(stream& on, const std::vector<graph_node*>& behind) {
  on.capturing = this;
  std::vector<graph_node*>& ends = ends_[&on];
  for (graph_node* each : behind) {
    if (std::find(ends.begin(), ends.end(), each) == ends.end()) ends.push_back(each);
  }
}

result capture::end(card& all, std::unique_ptr<graph>& made) {
  live_ = false;
  const auto leave = [&](stream& each) {
    if (each.capturing == this) each.capturing = nullptr;
  };
  for (const auto& device : all.devices) {
    for (const auto& each : device->streams) leave(*each);
  }
  if (status_ != capture_status::active) return result::capture_invalidated;
  // Whatever no node of the origin's comes after was never joined.
  std::unordered_set<const graph_node*> reached;
  std::vector<const graph_node*> open(ends_[origin_].begin(), ends_[origin_].end());
  while (!open.empty()) {
    const graph_node* node = open.back();
    open.pop_back();
    if (!reached.insert(node).second) continue;
    open.insert(open.end(), node->after.begin(), node->after.end());
  }
  if (reached.size() != graph_->nodes.size()) return result::capture_unjoined;
  made = std::move(graph_);
  return result::success;
}

result begin_capture(card& all, stream& on, capture_mode mode, std::unique_ptr<graph> into,
                     std::vector<graph_node*> after) {
  if (&on == &on.on->legacy) return result::capture_unsupported;
  if (on.capturing != nullptr) return result::illegal_state;
  capture& fresh = *all.captures.emplace_back(
      std::make_unique<capture>(++all.last_capture_id, on, mode, std::move(into)));
  fresh.join(on, after);
  ++all.live_captures;
  return result::success;
}

result end_capture(card& all, stream& on, std::unique_ptr<graph>& made) {
  capture* of = on.capturing;
  if (of == nullptr) return result::illegal_state;
  if (&of->origin() != &on) return result::capture_unmatched;
  if (of->mode() != capture_mode::relaxed && of->thread() != std::this_thread::get_id()) {
    return result::capture_wrong_thread;
  }
  --all.live_captures;
  return of->end(all, made);
}

result refuse_in_capture(stream& on) {
  if (on.capturing == nullptr) return result::success;
  if (on.capturing->status() == capture_status::invalidated) return result::capture_invalidated;
  on.capturing->invalidate();
  return result::capture_unsupported;
}

result refuse_unsafe(card& all, const thread_state& me) {
  if (all.live_captures == 0 || me.mode == capture_mode::relaxed) return result::success;
  bool refused = false;
  for (const auto& each : all.captures) {
    if (!each->live() || each->mode() == capture_mode::relaxed) continue;
    const bool own = each->thread() == std::this_thread::get_id();
    const bool everywhere = each->mode() == capture_mode::global && me.mode == capture_mode::global;
    if (!own && !everywhere) continue;
    each->invalidate();
    refused = true;
  }
  return refused ? result::capture_unsupported : result::success;
}

result refuse_legacy(card& all, const stream& on) {
  if (all.live_captures == 0 || &on != &on.on->legacy) return result::success;
  for (const auto& each : on.on->streams) {
    if (!each->blocking || each->capturing == nullptr) continue;
    each->capturing->invalidate();
    return result::capture_implicit;
  }
  return result::success;
}

}  // namespace headroom::emulation
