// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "reference.hpp"

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/cuda/PeerToPeerAccess.h>
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "standin.hpp"

namespace c10::cuda::_internal {
// Exported by the library, declared in none of its headers.
C10_CUDA_API void setHasPrimaryContext(bool (*ask)(c10::DeviceIndex));
}  // namespace c10::cuda::_internal

namespace allocator = c10::cuda::CUDACachingAllocator;

namespace {

constexpr c10::DeviceIndex device = 0;

cudaStream_t handle_of(headroom::stream_id stream) {
  // Any address does, as long as streams have different ones; the default stream is null.
  return reinterpret_cast<cudaStream_t>(std::uintptr_t{stream.n} << 8U);
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
  standin_set_capacity(static_cast<std::uint64_t>(capacity.n));
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
      standin_complete(handle_of(event.stream));
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

std::string reference::line(std::uint64_t index, const headroom::trace_event& event,
                            bool granted) const {
  const auto figures = allocator::getDeviceStats(device);
  std::string place = granted ? "-" : "oom";
  if (state_->last != nullptr) {
    std::uint64_t ordinal = 0;
    std::uint64_t offset = 0;
    standin_locate(state_->last, &ordinal, &offset);
    place = fmt::format("{}+{}", ordinal, offset);
  }
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", index,
                     static_cast<char>(event.operation), figures.allocated_bytes[0].current,
                     figures.allocated_bytes[0].peak, figures.reserved_bytes[0].current,
                     figures.reserved_bytes[0].peak, figures.requested_bytes[0].current,
                     figures.requested_bytes[0].peak, figures.active_bytes[0].current,
                     figures.segment[0].current, figures.num_alloc_retries, figures.num_ooms,
                     place);
}
