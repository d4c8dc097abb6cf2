// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "graphs.hpp"

#include <algorithm>

#include "answer.hpp"

namespace headroom::emulation::runtime {

cudaGraph_t keep_graph(card& all, std::unique_ptr<graph> of) {
  graph* handle = of.get();
  all.graphs.emplace(handle, std::move(of));
  return reinterpret_cast<cudaGraph_t>(handle);
}

graph* graph_of(card& all, cudaGraph_t handle) {
  const auto found = all.graphs.find(handle);
  if (found != all.graphs.end()) return found->second.get();
  for (const auto& each : all.captures) {
    if (each->live() && static_cast<const void*>(&each->into()) == handle) return &each->into();
  }
  return nullptr;
}

bool nodes_from(const graph& of, const cudaGraphNode_t* handles, std::size_t number,
                std::vector<graph_node*>& nodes) {
  if (handles == nullptr && number > 0) return false;
  for (std::size_t i = 0; i < number; ++i) {
    auto* node = reinterpret_cast<graph_node*>(handles[i]);
    if (!of.holds(node)) return false;
    nodes.push_back(node);
  }
  return true;
}

}  // namespace headroom::emulation::runtime

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

/// @param body  (session&, graph&) -> result
template <class Body>
cudaError_t about_graph(call which, cudaGraph_t handle, Body body) {
  return answer(which, [&](session& now) {
    graph* of = graph_of(now.all, handle);
    return of == nullptr ? result::invalid_value : body(now, *of);
  });
}

template <class Body>
cudaError_t about_executable(call which, cudaGraphExec_t handle, Body body) {
  return answer(which, [&](session& now) {
    const auto found = now.all.executable_graphs.find(handle);
    return found == now.all.executable_graphs.end() ? result::invalid_value
                                                    : body(now, *found->second);
  });
}

/// With no room given, how many there are; else as many as fit, and null for the rest.
result list(const std::vector<graph_node*>& nodes, cudaGraphNode_t* into, std::size_t* number) {
  if (number == nullptr) return result::invalid_value;
  if (into != nullptr) {
    for (std::size_t i = 0; i < *number; ++i) {
      into[i] = i < nodes.size() ? handle_of(nodes[i]) : nullptr;
    }
    *number = std::min(*number, nodes.size());
  } else {
    *number = nodes.size();
  }
  return result::success;
}

cudaError_t list_some(call which, cudaGraph_t handle, cudaGraphNode_t* into, std::size_t* number,
                      bool roots) {
  return about_graph(which, handle, [&](session&, const graph& of) {
    std::vector<graph_node*> nodes;
    for (const auto& each : of.nodes) {
      if (!roots || each->after.empty()) nodes.push_back(each.get());
    }
    return list(nodes, into, number);
  });
}

/// The node of any graph, or null.
graph_node* node_of(card& all, cudaGraphNode_t handle) {
  auto* node = reinterpret_cast<graph_node*>(handle);
  for (const auto& [key, of] : all.graphs) {
    if (of->holds(node)) return node;
  }
  for (const auto& each : all.captures) {
    if (each->live() && each->into().holds(node)) return node;
  }
  return nullptr;
}

cudaError_t list_dependencies(call which, cudaGraphNode_t handle, cudaGraphNode_t* into,
                              std::size_t* number) {
  return answer(which, [&](session& now) {
    const graph_node* node = node_of(now.all, handle);
    return node == nullptr ? result::invalid_value : list(node->after, into, number);
  });
}

cudaError_t add_dependencies(call which, cudaGraph_t handle, const cudaGraphNode_t* from,
                             const cudaGraphNode_t* to, std::size_t number) {
  return about_graph(which, handle, [&](session&, const graph& of) {
    std::vector<graph_node*> first;
    std::vector<graph_node*> then;
    if (!nodes_from(of, from, number, first) || !nodes_from(of, to, number, then)) {
      return result::invalid_value;
    }
    for (std::size_t i = 0; i < number; ++i) then[i]->after.push_back(first[i]);
    return result::success;
  });
}

cudaError_t make_executable(call which, cudaGraphExec_t* made, cudaGraph_t handle,
                            unsigned long long flags) {
  return about_graph(which, handle, [&](session& now, const graph& of) {
    if (made == nullptr) return result::invalid_value;
    std::unique_ptr<executable_graph> fresh;
    const bool frees = (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
    const result verdict = instantiate(of, frees, fresh);
    if (verdict != result::success) return verdict;
    executable_graph* key = fresh.get();
    now.all.executable_graphs.emplace(key, std::move(fresh));
    *made = reinterpret_cast<cudaGraphExec_t>(key);
    return result::success;
  });
}

/// Same kinds of nodes in the same order, with the same number of predecessors.
cudaGraphExecUpdateResult compare(const graph& old, const graph& fresh) {
  if (old.nodes.size() != fresh.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < old.nodes.size(); ++i) {
    if (old.nodes[i]->kind != fresh.nodes[i]->kind) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (old.nodes[i]->after.size() != fresh.nodes[i]->after.size()) {
      return cudaGraphExecUpdateErrorTopologyChanged;
    }
  }
  return cudaGraphExecUpdateSuccess;
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* made, unsigned flags) {
  return answer(call::cudaGraphCreate_, [&](session& now) {
    if (made == nullptr || flags != 0) return result::invalid_value;
    *made = keep_graph(now.all, std::make_unique<graph>());
    return result::success;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  std::vector<std::pair<user_object*, unsigned>> objects;
  const cudaError_t answered =
      about_graph(call::cudaGraphDestroy_, handle, [&](session& now, graph& of) {
        if (!now.all.graphs.contains(handle)) return result::invalid_value;
        objects = std::move(of.objects);
        now.all.graphs.erase(handle);
        return result::success;
      });
  // The program's own code, without the card's lock.
  for (const auto& [object, references] : objects) release(*object, references);
  return answered;
}

cudaError_t cudaGraphClone(cudaGraph_t* made, cudaGraph_t handle) {
  return about_graph(call::cudaGraphClone_, handle, [&](session& now, const graph& of) {
    if (made == nullptr) return result::invalid_value;
    *made = keep_graph(now.all, of.clone());
    return result::success;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* number) {
  return list_some(call::cudaGraphGetNodes_, graph, nodes, number, false);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* number) {
  return list_some(call::cudaGraphGetRootNodes_, graph, nodes, number, true);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return answer(call::cudaGraphNodeGetType_, [&](session& now) {
    const graph_node* node = node_of(now.all, handle);
    if (node == nullptr || type == nullptr) return result::invalid_value;
    *type = static_cast<cudaGraphNodeType>(node->kind);
    return result::success;
  });
}

#if HEADROOM_ABI_MAJOR >= 13
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     std::size_t number) {
  return add_dependencies(call::cudaGraphAddDependencies_, graph, from, to, number);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* after,
                                         cudaGraphEdgeData*, std::size_t* number) {
  return list_dependencies(call::cudaGraphNodeGetDependencies_, node, after, number);
}
#else
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, std::size_t number) {
  return add_dependencies(call::cudaGraphAddDependencies_, graph, from, to, number);
}
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        std::size_t number) {
  return add_dependencies(call::cudaGraphAddDependencies_v2_, graph, from, to, number);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* after,
                                         std::size_t* number) {
  return list_dependencies(call::cudaGraphNodeGetDependencies_, node, after, number);
}
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* after,
                                            cudaGraphEdgeData*, std::size_t* number) {
  return list_dependencies(call::cudaGraphNodeGetDependencies_v2_, node, after, number);
}
#endif

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph,
                                 unsigned long long flags) {
  return make_executable(call::cudaGraphInstantiate_, made, graph, flags);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                          unsigned long long flags) {
  return make_executable(call::cudaGraphInstantiateWithFlags_, made, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* made, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* how) {
  const cudaError_t answered = make_executable(call::cudaGraphInstantiateWithParams_, made, graph,
                                               how == nullptr ? 0 : how->flags);
  if (how != nullptr) {
    how->errNode_out = nullptr;
    how->result_out =
        answered == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  }
  return answered;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t) {
  return about_executable(call::cudaGraphUpload_, handle,
                          [](session&, const executable_graph&) { return result::success; });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t where) {
  return answer_on_stream(call::cudaGraphLaunch_, where, [&](device_session& now, stream& on) {
    const auto found = now.all.executable_graphs.find(handle);
    if (found == now.all.executable_graphs.end()) return result::invalid_value;
    return launch(now.all, now.lock, on, *found->second);
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return about_executable(call::cudaGraphExecDestroy_, handle,
                          [&](session& now, const executable_graph&) {
                            now.all.executable_graphs.erase(handle);
                            return result::success;
                          });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return about_executable(
      call::cudaGraphExecUpdate_, handle, [&](session& now, executable_graph& old) {
        const headroom::emulation::graph* fresh = graph_of(now.all, graph);
        if (fresh == nullptr) return result::invalid_value;
        const cudaGraphExecUpdateResult verdict = compare(*old.of, *fresh);
        if (info != nullptr) *info = {verdict, nullptr, nullptr};
        if (verdict != cudaGraphExecUpdateSuccess) return result::graph_update_failure;
        std::unique_ptr<executable_graph> made;
        const result instantiated = instantiate(*fresh, old.frees_on_launch, made);
        if (instantiated == result::success) old = std::move(*made);
        return instantiated;
      });
}
