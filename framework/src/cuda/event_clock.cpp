// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "event_clock.hpp"

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/cuda/cuda_error.hpp>

namespace headroom::cuda {

event_clock::~event_clock() {
  report(cudaSetDevice(index_), "cudaSetDevice");
  for (const auto& [number, event] : outstanding_) spare_.push_back(event);
  for (const cudaEvent_t event : spare_) report(cudaEventDestroy(event), "cudaEventDestroy");
  for (const cudaStream_t stream : streams_) report(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

stream_id event_clock::create_stream() {
  HEADROOM_CUDA_CHECK(cudaSetDevice(index_));
  cudaStream_t stream = nullptr;
  HEADROOM_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const std::lock_guard lock(mutex_);
  streams_.push_back(stream);
  return stream_id{static_cast<std::uint32_t>(streams_.size())};
}

cudaStream_t event_clock::native(stream_id stream) const {
  if (stream.n == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  if (stream.n > streams_.size()) {
    throw usage_error(fmt::format("cuda:{} has no stream {}; it has {} besides the default stream",
                                  index_, stream.n, streams_.size()));
  }
  return streams_[stream.n - 1];
}

stream_point event_clock::record(stream_id stream) {
  HEADROOM_CUDA_CHECK(cudaSetDevice(index_));
  const cudaStream_t on = native(stream);
  const std::lock_guard lock(mutex_);
  cudaEvent_t event = nullptr;
  if (spare_.empty()) {
    HEADROOM_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  } else {
    event = spare_.back();
    spare_.pop_back();
  }
  const stream_point point{stream, next_number_++};
  outstanding_.emplace(point.number, event);
  HEADROOM_CUDA_CHECK(cudaEventRecord(event, on));
  return point;
}

cudaEvent_t event_clock::find(const stream_point& point) const {
  const std::lock_guard lock(mutex_);
  const auto it = outstanding_.find(point.number);
  return it == outstanding_.end() ? nullptr : it->second;
}

void event_clock::retire(const stream_point& point) {
  const std::lock_guard lock(mutex_);
  const auto it = outstanding_.find(point.number);
  if (it == outstanding_.end()) return;
  spare_.push_back(it->second);
  outstanding_.erase(it);
}

bool event_clock::passed(const stream_point& point) {
  const cudaEvent_t event = find(point);
  if (event == nullptr) return true;  // retired: it has passed before
  const cudaError_t result = cudaEventQuery(event);
  if (result == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return false;
  }
  check(result, "cudaEventQuery");
  retire(point);
  return true;
}

void event_clock::wait(const stream_point& point) {
  const cudaEvent_t event = find(point);
  if (event == nullptr) return;
  HEADROOM_CUDA_CHECK(cudaEventSynchronize(event));
  retire(point);
}

}  // namespace headroom::cuda
