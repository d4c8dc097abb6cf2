// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/capture.hpp"

#include "answer.hpp"
#include "graphs.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

bool known(cudaStreamCaptureMode mode) { return static_cast<unsigned>(mode) <= 2; }

/// What a stream is doing; it is asked of streams that capture, so nothing is refused.
cudaError_t info(call which, cudaStream_t handle, cudaStreamCaptureStatus* status,
                 unsigned long long* id, cudaGraph_t* into, const cudaGraphNode_t** after,
                 const cudaGraphEdgeData** edges, std::size_t* number) {
  return answer_on_device(which, [&](device_session& now) {
    stream* on = stream_of(now.all, now.me, now.on, handle);
    if (on == nullptr) return result::invalid_handle;
    if (status == nullptr) return result::invalid_value;
    const result refused = refuse_legacy(now.all, *on);
    if (refused != result::success) return refused;
    capture* of = on->capturing;
    *status =
        static_cast<cudaStreamCaptureStatus>(of == nullptr ? capture_status::none : of->status());
    if (id != nullptr) *id = of == nullptr ? 0 : of->id();
    if (of == nullptr) return result::success;
    const auto& ends = of->ends(*on);
    if (into != nullptr) *into = reinterpret_cast<cudaGraph_t>(&of->into());
    if (after != nullptr) *after = reinterpret_cast<const cudaGraphNode_t*>(ends.data());
    if (edges != nullptr) *edges = nullptr;
    if (number != nullptr) *number = ends.size();
    return result::success;
  });
}

cudaError_t update(call which, cudaStream_t handle, cudaGraphNode_t* after, std::size_t number,
                   unsigned flags) {
  return answer_on_stream(which, handle, [&](device_session&, stream& on) {
    if (on.capturing == nullptr) return result::illegal_state;
    if (flags > cudaStreamSetCaptureDependencies) return result::invalid_value;
    std::vector<graph_node*> nodes;
    if (!nodes_from(on.capturing->into(), after, number, nodes)) return result::invalid_value;
    if (flags == cudaStreamSetCaptureDependencies) on.capturing->ends(on).clear();
    on.capturing->join(on, nodes);
    return result::success;
  });
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return answer_on_device(call::cudaStreamBeginCapture_, [&](device_session& now) {
    stream* on = stream_of(now.all, now.me, now.on, handle);
    if (on == nullptr) return result::invalid_handle;
    if (!known(mode)) return result::invalid_value;
    return begin_capture(now.all, *on, static_cast<capture_mode>(mode), std::make_unique<graph>(),
                         {});
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* made) {
  return answer_on_device(call::cudaStreamEndCapture_, [&](device_session& now) {
    stream* on = stream_of(now.all, now.me, now.on, handle);
    if (on == nullptr) return result::invalid_handle;
    if (made == nullptr) return result::invalid_value;
    std::unique_ptr<graph> of;
    *made = nullptr;
    const result verdict = end_capture(now.all, *on, of);
    if (verdict == result::success) *made = keep_graph(now.all, std::move(of));
    return verdict;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return info(call::cudaStreamIsCapturing_, stream, status, nullptr, nullptr, nullptr, nullptr,
              nullptr);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return answer(call::cudaThreadExchangeStreamCaptureMode_, [&](session& now) {
    if (mode == nullptr || !known(*mode)) return result::invalid_value;
    const capture_mode before = now.me.mode;
    now.me.mode = static_cast<capture_mode>(*mode);
    *mode = static_cast<cudaStreamCaptureMode>(before);
    return result::success;
  });
}

#if HEADROOM_ABI_MAJOR >= 13
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* into,
                                     const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                     std::size_t* number) {
  return info(call::cudaStreamGetCaptureInfo_, stream, status, id, into, after, edges, number);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                const cudaGraphEdgeData*, std::size_t number,
                                                unsigned flags) {
  return update(call::cudaStreamUpdateCaptureDependencies_, stream, after, number, flags);
}
#else
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* into,
                                        const cudaGraphNode_t** after, std::size_t* number) {
  return info(call::cudaStreamGetCaptureInfo_v2_, stream, status, id, into, after, nullptr, number);
}
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* into,
                                        const cudaGraphNode_t** after,
                                        const cudaGraphEdgeData** edges, std::size_t* number) {
  return info(call::cudaStreamGetCaptureInfo_v3_, stream, status, id, into, after, edges, number);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                std::size_t number, unsigned flags) {
  return update(call::cudaStreamUpdateCaptureDependencies_, stream, after, number, flags);
}
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* after,
                                                   const cudaGraphEdgeData*, std::size_t number,
                                                   unsigned flags) {
  return update(call::cudaStreamUpdateCaptureDependencies_v2_, stream, after, number, flags);
}
#endif
