// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "reference.hpp"

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/cuda/PeerToPeerAccess.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <vector>

#include "taken_addresses.hpp"

namespace c10::cuda::_internal {
// Exported by the library, declared in none of its headers.
C10_CUDA_API void setHasPrimaryContext(bool (*ask)(c10::DeviceIndex));
}  // namespace c10::cuda::_internal

namespace allocator = c10::cuda::CUDACachingAllocator;

namespace {

constexpr c10::DeviceIndex device = 0;

/// Streams of the card that nothing orders, in the order of their handles, as PyTorch's pools are
/// ordered by them; the default stream is null.
class stream_handles {
 public:
  cudaStream_t of(headroom::stream_id stream) {
    if (stream.n == 0) return nullptr;
    if (handles_.empty()) make();
    if (stream.n > handles_.size()) {
      throw std::runtime_error(fmt::format("stream {}: a recorder knows {}", stream.n, most));
    }
    return handles_[stream.n - 1];
  }

 private:
  static constexpr std::size_t most = 64;
  void make() {
    handles_.resize(most);
    for (cudaStream_t& each : handles_) {
      if (cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking) != cudaSuccess) {
        throw std::runtime_error("the emulated card makes no stream");
      }
    }
    std::sort(handles_.begin(), handles_.end(), std::less<>());
  }
  std::vector<cudaStream_t> handles_;
};

cudaStream_t handle_of(headroom::stream_id stream) {
  static stream_handles all;
  return all.of(stream);
}
c10::cuda::CUDAStream stream_of(headroom::stream_id stream) {
  return c10::cuda::getStreamFromExternal(handle_of(stream), device);
}

}  // namespace

struct reference::state {
  std::vector<c10::DataPtr> held;
  headroom::stream_id current;
  void* last = nullptr;  ///< the address last handed out
};

reference::reference(headroom::bytes capacity, const std::string& settings)
    : state_(std::make_unique<state>()) {
  // Read by the emulated card at the first call that needs one. A stream's work is done when the
  // trace says so, however often it is asked for.
  setenv("HEADROOM_EMULATED_CARD", fmt::format("{} B", capacity.n).c_str(), 1);
  setenv("HEADROOM_EMULATED_POLLS", "1000000000", 1);
  setenv("HEADROOM_EMULATED_CONTENTS", "none", 1);
  setenv("PYTORCH_ALLOC_CONF", settings.c_str(), 1);
  c10::cuda::_internal::setHasPrimaryContext([](c10::DeviceIndex) { return true; });
  c10::cuda::detail::init_p2p_access_cache(1);
  allocator::init(1);
  c10::cuda::setCurrentCUDAStream(stream_of({}));
}

reference::~reference() = default;

bool reference::apply(const headroom::trace_event& event) {
  using headroom::trace_operation;
  state& now = *state_;
  now.last = nullptr;
  switch (event.operation) {
    case trace_operation::allocate: {
      if (event.stream != now.current) {
        c10::cuda::setCurrentCUDAStream(stream_of(event.stream));
        now.current = event.stream;
      }
      if (event.id >= now.held.size()) now.held.resize(event.id + 1);
      try {
        now.held[event.id] = allocator::get()->allocate(static_cast<std::size_t>(event.size.n));
      } catch (const c10::OutOfMemoryError&) {
        return false;
      }
      now.last = now.held[event.id].get();
      break;
    }
    case trace_operation::free:
      now.held[event.id].clear();
      break;
    case trace_operation::use:
      allocator::recordStream(now.held[event.id], stream_of(event.stream));
      break;
    case trace_operation::complete:
      if (cudaStreamSynchronize(handle_of(event.stream)) != cudaSuccess) {
        throw std::runtime_error("the emulated card does not wait");
      }
      break;
    case trace_operation::empty_cache:
      allocator::emptyCache();
      break;
    case trace_operation::reset_peaks:
      allocator::resetPeakStats(device);
      break;
  }
  return true;
}

void reference::expect(const headroom::trace_event& event) const {
  if (event.id >= state_->held.size()) return;
  // Past the caches as far as the processor can: they are the allocator's.
  __builtin_prefetch(&state_->held[event.id], 0, 0);
}

std::string reference::line(std::uint64_t index, const headroom::trace_event& event,
                            bool granted) const {
  const auto figures = allocator::getDeviceStats(device);
  std::string place = granted ? "-" : "oom";
  if (state_->last != nullptr) {
    const taken_place found = locate_taken(state_->last);
    place = fmt::format("{}+{}", found.ordinal, found.offset);
  }
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", index,
                     static_cast<char>(event.operation), figures.allocated_bytes[0].current,
                     figures.allocated_bytes[0].peak, figures.reserved_bytes[0].current,
                     figures.reserved_bytes[0].peak, figures.requested_bytes[0].current,
                     figures.requested_bytes[0].peak, figures.active_bytes[0].current,
                     figures.segment[0].current, figures.num_alloc_retries, figures.num_ooms,
                     place);
}
