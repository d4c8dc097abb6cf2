// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/benchmark/stopwatch.hpp>
#include <headroom/cuda/event_stopwatch.hpp>

namespace headroom {

using host_clock = std::chrono::steady_clock;

stopwatch::stopwatch(device& on) : on_(on) {
#ifdef HEADROOM_WITH_CUDA
  if (on.info().kind == device_kind::cuda) {
    events_ = std::make_shared<cuda::event_stopwatch>(on.native_stream({}));
  }
#endif
}

void stopwatch::start() {
  on_.synchronize();
#ifdef HEADROOM_WITH_CUDA
  if (events_) return events_->start();
#endif
  begin_ = host_clock::now();
}

double stopwatch::stop() {
#ifdef HEADROOM_WITH_CUDA
  if (events_) return events_->stop();
#endif
  on_.synchronize();
  return std::chrono::duration<double>(host_clock::now() - begin_).count();
}

std::string_view stopwatch::clock() const { return events_ ? "cuda events" : "host clock"; }

}  // namespace headroom
