// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cuda_runtime_api.h>

#include <headroom/cuda/cuda_error.hpp>
#include <headroom/cuda/event_stopwatch.hpp>

namespace headroom::cuda {

struct event_stopwatch::events {
  explicit events(cudaStream_t on) : stream(on) {}
  events(const events&) = delete;
  events& operator=(const events&) = delete;
  ~events() {
    if (begin != nullptr) report(cudaEventDestroy(begin), "cudaEventDestroy");
    if (end != nullptr) report(cudaEventDestroy(end), "cudaEventDestroy");
  }

  cudaStream_t stream;
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
};

event_stopwatch::event_stopwatch(void* stream)
    : events_(std::make_unique<events>(static_cast<cudaStream_t>(stream))) {
  HEADROOM_CUDA_CHECK(cudaEventCreate(&events_->begin));
  HEADROOM_CUDA_CHECK(cudaEventCreate(&events_->end));
}

event_stopwatch::~event_stopwatch() = default;

void event_stopwatch::start() {
  HEADROOM_CUDA_CHECK(cudaEventRecord(events_->begin, events_->stream));
}

double event_stopwatch::stop() {
  HEADROOM_CUDA_CHECK(cudaEventRecord(events_->end, events_->stream));
  HEADROOM_CUDA_CHECK(cudaEventSynchronize(events_->end));
  float milliseconds = 0.0F;
  HEADROOM_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, events_->begin, events_->end));
  return static_cast<double>(milliseconds) / 1000;
}

}  // namespace headroom::cuda
