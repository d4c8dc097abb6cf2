// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "transfer.hpp"

namespace headroom::emulation {

struct graph;

/// As cudaGraphNodeType.
enum class node_kind {
  kernel = 0,
  copy = 1,
  fill = 2,
  host = 3,
  child = 4,
  empty = 5,
  wait_event = 6,
  record_event = 7,
  take_memory = 10,
  give_back_memory = 11,
};

/// One piece of work of a graph.
struct graph_node {
  node_kind kind = node_kind::empty;
  operation what;                  ///< kernels, copies, fills and host code
  std::vector<graph_node*> after;  ///< nodes that come first
  event* of_event = nullptr;       ///< of event nodes
  address at = 0;                  ///< of memory nodes
  std::unique_ptr<graph> child;
};

/// Something of the program's that lives as long as what refers to it.
struct user_object {
  void* object = nullptr;
  void (*destroy)(void*) = nullptr;
  unsigned references = 0;
};

struct graph {
  std::vector<std::unique_ptr<graph_node>> nodes;
  std::vector<std::pair<user_object*, unsigned>> objects;

  graph_node& add(node_kind kind, std::vector<graph_node*> after);
  [[nodiscard]] bool holds(const graph_node* node) const;
  /// The nodes in an order that each one's predecessors come before it; empty where there is none.
  [[nodiscard]] std::vector<graph_node*> in_order() const;
  [[nodiscard]] std::unique_ptr<graph> clone() const;
};

/// A graph made ready to be launched.
struct executable_graph {
  std::unique_ptr<graph> of;
  std::vector<graph_node*> order;
  bool frees_on_launch = false;
};

/// Memory that a graph takes when it runs. Its address is the same each time.
struct graph_memory {
  std::uint64_t size = 0;
  int device = 0;
  bool live = false;
};

[[nodiscard]] result instantiate(const graph& of, bool frees_on_launch,
                                 std::unique_ptr<executable_graph>& made);
/// Queues the whole graph on the stream.
[[nodiscard]] result launch(card& all, card_lock& lock, stream& on, executable_graph& which);

/// An address for a memory node. Counted against the device when the graph is launched.
[[nodiscard]] result plan_graph_memory(card& all, device& on, std::uint64_t size, address& at);
[[nodiscard]] result take_graph_memory(card& all, address at);
/// @return invalid_value for what is no live memory of a graph
[[nodiscard]] result give_back_graph_memory(card& all, address at);

void release(user_object& which, unsigned count);

}  // namespace headroom::emulation
