// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/calls.hpp"
#include "../card/events.hpp"
#include "../card/launch.hpp"
#include "answer.hpp"
#include "graphs.hpp"
#include "planes.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

address address_at(const void* at) { return number(at); }

/// Adds a node; @param fill  (device_session&, graph_node&) -> result, the node is dropped when it
/// does not succeed
template <class Fill>
cudaError_t add_node(call which, cudaGraphNode_t* made, cudaGraph_t handle,
                     const cudaGraphNode_t* after, std::size_t number, node_kind kind, Fill fill) {
  return answer_on_device(which, [&](device_session& now) {
    graph* of = graph_of(now.all, handle);
    std::vector<graph_node*> first;
    if (made == nullptr || of == nullptr || !nodes_from(*of, after, number, first)) {
      return result::invalid_value;
    }
    graph_node& fresh = of->add(kind, std::move(first));
    const result verdict = fill(now, fresh);
    if (verdict == result::success) {
      *made = handle_of(&fresh);
    } else {
      of->nodes.pop_back();
    }
    return verdict;
  });
}

result fill_copy(device_session& now, graph_node& node, const transfer& what) {
  const result verdict = check(now.all, what);
  node.what.run = [&all = now.all, what] { return run_transfer(all, what); };
  return verdict;
}

}  // namespace

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t number,
                                   const cudaKernelNodeParams* what) {
  return add_node(call::cudaGraphAddKernelNode_, node, graph, after, number, node_kind::kernel,
                  [&](device_session& now, graph_node& fresh) {
                    if (what == nullptr) return result::invalid_value;
                    kernel* known = modules().find(what->func);
                    if (known == nullptr) return result::invalid_device_function;
                    const launch_shape shape{{what->gridDim.x, what->gridDim.y, what->gridDim.z},
                                             {what->blockDim.x, what->blockDim.y, what->blockDim.z},
                                             what->sharedMemBytes,
                                             nullptr,
                                             false,
                                             {}};
                    const result verdict = check(now.on, *known, shape);
                    if (verdict != result::success) return verdict;
                    fresh.what = operation_of(now.all, *known, what->kernelParams);
                    ++known->launched;
                    if (!fresh.what.run) ++known->left_out;
                    return result::success;
                  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t number,
                                   const cudaMemcpy3DParms* what) {
  return add_node(call::cudaGraphAddMemcpyNode_, node, graph, after, number, node_kind::copy,
                  [&](device_session& now, graph_node& fresh) {
                    if (what == nullptr) return result::invalid_value;
                    if (what->srcArray != nullptr || what->dstArray != nullptr) {
                      note_gap("cudaGraphAddMemcpyNode from or to an array");
                      return result::not_supported;
                    }
                    return fill_copy(now, fresh, planes(*what, what->kind));
                  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, std::size_t number, void* to,
                                     const void* from, std::size_t size, cudaMemcpyKind kind) {
  return add_node(call::cudaGraphAddMemcpyNode1D_, node, graph, after, number, node_kind::copy,
                  [&](device_session& now, graph_node& fresh) {
                    return fill_copy(now, fresh,
                                     plain_transfer(address_at(to), address_at(from), size,
                                                    static_cast<direction>(kind)));
                  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t number,
                                   const cudaMemsetParams* what) {
  return add_node(call::cudaGraphAddMemsetNode_, node, graph, after, number, node_kind::fill,
                  [&](device_session& now, graph_node& fresh) {
                    if (what == nullptr) return result::invalid_value;
                    const fill_shape shape{address_at(what->dst), what->value,  what->elementSize,
                                           what->width,           what->height, 1,
                                           what->pitch,           what->height};
                    if (shape.element != 1 && shape.element != 2 && shape.element != 4) {
                      return result::invalid_value;
                    }
                    fresh.what.run = [&all = now.all, shape] { return run_fill(all, shape); };
                    return check(now.all, shape);
                  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, std::size_t number,
                                 const cudaHostNodeParams* what) {
  return add_node(call::cudaGraphAddHostNode_, node, graph, after, number, node_kind::host,
                  [&](device_session&, graph_node& fresh) {
                    if (what == nullptr || what->fn == nullptr) return result::invalid_value;
                    fresh.what = {[function = what->fn, data = what->userData] {
                                    function(data);
                                    return result::success;
                                  },
                                  true, static_cast<int>(node_kind::host)};
                    return result::success;
                  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, std::size_t number) {
  return add_node(call::cudaGraphAddEmptyNode_, node, graph, after, number, node_kind::empty,
                  [](device_session&, graph_node&) { return result::success; });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, std::size_t number,
                                       cudaGraph_t child) {
  return add_node(call::cudaGraphAddChildGraphNode_, node, graph, after, number, node_kind::child,
                  [&](device_session& now, graph_node& fresh) {
                    const headroom::emulation::graph* of = graph_of(now.all, child);
                    if (of == nullptr || child == graph) return result::invalid_value;
                    fresh.child = of->clone();
                    return result::success;
                  });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, std::size_t number,
                                     cudaMemAllocNodeParams* what) {
  return add_node(call::cudaGraphAddMemAllocNode_, node, graph, after, number,
                  node_kind::take_memory, [&](device_session& now, graph_node& fresh) {
                    if (what == nullptr) return result::invalid_value;
                    const result verdict =
                        plan_graph_memory(now.all, now.on, what->bytesize, fresh.at);
                    if (verdict == result::success) what->dptr = pointer(fresh.at);
                    return verdict;
                  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* after, std::size_t number, void* at) {
  return add_node(call::cudaGraphAddMemFreeNode_, node, graph, after, number,
                  node_kind::give_back_memory, [&](device_session& now, graph_node& fresh) {
                    fresh.at = address_at(at);
                    return now.all.graph_memories.contains(fresh.at) ? result::success
                                                                     : result::invalid_value;
                  });
}
