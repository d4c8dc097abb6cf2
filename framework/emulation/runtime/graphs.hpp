// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "../abi/graph_calls.hpp"
#include "../card/graph.hpp"

namespace headroom::emulation::runtime {

/// The graph's handle, which the program destroys.
cudaGraph_t keep_graph(card& all, std::unique_ptr<graph> of);
/// @return null for what is no graph. A graph that is being captured has a handle too
[[nodiscard]] graph* graph_of(card& all, cudaGraph_t handle);
/// @return false where one of them is no node of the graph
[[nodiscard]] bool nodes_from(const graph& of, const cudaGraphNode_t* handles, std::size_t number,
                              std::vector<graph_node*>& nodes);

inline cudaGraphNode_t handle_of(graph_node* node) {
  return reinterpret_cast<cudaGraphNode_t>(node);
}

}  // namespace headroom::emulation::runtime
