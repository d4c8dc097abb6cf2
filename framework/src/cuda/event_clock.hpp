// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cuda_runtime_api.h>

#include <headroom/device/stream.hpp>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace headroom::cuda {

/// The device's streams, and the points of their work as CUDA events.
class event_clock : public stream_clock {
 public:
  explicit event_clock(int index) : index_(index) {}
  ~event_clock() override;
  event_clock(const event_clock&) = delete;
  event_clock& operator=(const event_clock&) = delete;

  [[nodiscard]] stream_id create_stream();
  /// Stream 0 is the runtime's default stream. @throws usage_error for a stream that was not
  /// created
  [[nodiscard]] cudaStream_t native(stream_id stream) const;

  stream_point record(stream_id stream) override;
  bool passed(const stream_point& point) override;
  void wait(const stream_point& point) override;

 private:
  cudaEvent_t find(const stream_point& point) const;
  void retire(const stream_point& point);

  int index_;
  mutable std::mutex mutex_;
  std::vector<cudaStream_t> streams_;                           // stream n is streams_[n - 1]
  std::unordered_map<std::uint64_t, cudaEvent_t> outstanding_;  // by number
  std::vector<cudaEvent_t> spare_;
  std::uint64_t next_number_ = 1;
};

}  // namespace headroom::cuda
