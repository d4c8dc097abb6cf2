// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "graph.hpp"

#include <algorithm>
#include <unordered_map>

#include "events.hpp"
#include "memory.hpp"

namespace headroom::emulation {

graph_node& graph::add(node_kind kind, std::vector<graph_node*> after) {
  graph_node& fresh = *nodes.emplace_back(std::make_unique<graph_node>());
  fresh.kind = kind;
  fresh.after = std::move(after);
  return fresh;
}

bool graph::holds(const graph_node* node) const {
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](const auto& each) { return each.get() == node; });
}

std::vector<graph_node*> graph::in_order() const {
  std::unordered_map<const graph_node*, std::size_t> open;
  std::unordered_map<const graph_node*, std::vector<graph_node*>> behind;
  std::vector<graph_node*> ready;
  for (const auto& each : nodes) {
    open[each.get()] = each->after.size();
    for (const graph_node* first : each->after) behind[first].push_back(each.get());
    if (each->after.empty()) ready.push_back(each.get());
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    for (graph_node* next : behind[ready[i]]) {
      if (--open[next] == 0) ready.push_back(next);
    }
  }
  if (ready.size() != nodes.size()) ready.clear();
  return ready;
}

std::unique_ptr<graph> graph::clone() const {
  auto copy = std::make_unique<graph>();
  std::unordered_map<const graph_node*, graph_node*> same;
  for (const auto& each : nodes) {
    graph_node& fresh = copy->add(each->kind, {});
    fresh.what = each->what;
    fresh.of_event = each->of_event;
    fresh.at = each->at;
    if (each->child) fresh.child = each->child->clone();
    same[each.get()] = &fresh;
  }
  for (const auto& each : nodes) {
    for (const graph_node* first : each->after) same[each.get()]->after.push_back(same[first]);
  }
  return copy;
}

result instantiate(const graph& of, bool frees_on_launch, std::unique_ptr<executable_graph>& made) {
  auto fresh = std::make_unique<executable_graph>();
  fresh->of = of.clone();
  fresh->order = fresh->of->in_order();
  fresh->frees_on_launch = frees_on_launch;
  if (fresh->order.empty() && !of.nodes.empty()) return result::invalid_value;  // a circle
  made = std::move(fresh);
  return result::success;
}

namespace {

result launch_nodes(card& all, card_lock& lock, stream& on, const std::vector<graph_node*>& order) {
  for (graph_node* node : order) {
    result verdict = result::success;
    switch (node->kind) {
      case node_kind::child:
        verdict = launch_nodes(all, lock, on, node->child->in_order());
        break;
      case node_kind::wait_event:
        verdict = wait_in(all, lock, on, *node->of_event);
        break;
      case node_kind::record_event:
        verdict = record(all, lock, *node->of_event, on);
        break;
      case node_kind::take_memory:
        verdict = take_graph_memory(all, node->at);
        break;
      case node_kind::give_back_memory:
        verdict = give_back_graph_memory(all, node->at);
        break;
      default:
        enqueue(all, lock, on, node->what);
        break;
    }
    if (verdict != result::success) return verdict;
  }
  return result::success;
}

}  // namespace

result launch(card& all, card_lock& lock, stream& on, executable_graph& which) {
  if (which.frees_on_launch) {
    for (const graph_node* node : which.order) {
      if (node->kind == node_kind::take_memory && all.graph_memories[node->at].live) {
        static_cast<void>(give_back_graph_memory(all, node->at));
      }
    }
  }
  enqueue(all, lock, on, {});
  return launch_nodes(all, lock, on, which.order);
}

result plan_graph_memory(card& all, device& on, std::uint64_t size, address& at) {
  if (size == 0) return result::invalid_value;
  const std::uint64_t whole = round_up(size, granularity);
  at = all.addresses.reserve(whole);
  if (at == 0) return result::out_of_memory;
  block fresh;
  fresh.begin = at;
  fresh.size = size;
  fresh.kind = block_kind::graph;
  fresh.device = on.index;
  fresh.backed = keeps_contents(all, whole) && all.addresses.back(at, whole);
  all.blocks.insert(fresh);
  all.graph_memories[at] = {whole, on.index, false};
  return result::success;
}

result take_graph_memory(card& all, address at) {
  graph_memory& wanted = all.graph_memories.at(at);
  if (wanted.live) return result::invalid_value;
  device& on = *all.devices[static_cast<std::size_t>(wanted.device)];
  const std::uint64_t used = on.graph_used + wanted.size;
  if (used > on.graph_reserved) {
    if (!on.memory.take(used - on.graph_reserved)) {
      on.memory.refuse(wanted.size);
      return result::out_of_memory;
    }
    on.graph_reserved = used;
    on.graph_reserved_high = std::max(on.graph_reserved_high, used);
  }
  on.memory.hand_out(static_cast<std::int64_t>(wanted.size));
  on.graph_used = used;
  on.graph_used_high = std::max(on.graph_used_high, used);
  wanted.live = true;
  return result::success;
}

result give_back_graph_memory(card& all, address at) {
  const auto found = all.graph_memories.find(at);
  if (found == all.graph_memories.end() || !found->second.live) return result::invalid_value;
  found->second.live = false;
  device& on = *all.devices[static_cast<std::size_t>(found->second.device)];
  on.graph_used -= found->second.size;
  on.memory.hand_out(-static_cast<std::int64_t>(found->second.size));
  return result::success;
}

void release(user_object& which, unsigned count) {
  if (count < which.references) {
    which.references -= count;
    return;
  }
  if (which.destroy != nullptr) which.destroy(which.object);
  delete &which;
}

}  // namespace headroom::emulation
