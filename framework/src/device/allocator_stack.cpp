// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/device/allocator_stack.hpp>
#include <headroom/device/plain_allocator.hpp>
#include <utility>

#include "logged_allocator.hpp"
#include "rehearsed_allocator.hpp"
#include "rehearsed_segments.hpp"

namespace headroom {

allocator_stack::allocator_stack(segment_source& segments, stream_clock& clock,
                                 const allocator_choice& choice) {
  if (choice.kind == allocator_kind::cuda_async) {
    throw usage_error(
        fmt::format("allocator cuda-async: {} has no stream-ordered pool, only cuda devices do; "
                    "write caching or plain",
                    segments.device_id()));
  }
  segment_source* from = &segments;
  if (!choice.rehearsed.empty()) {
    rehearsed_ = std::make_unique<rehearsal>(choice.rehearsed);
    refusing_ = std::make_unique<rehearsed_segments>(segments, *rehearsed_);
    from = refusing_.get();
  }
  if (choice.kind == allocator_kind::plain) {
    top_ = std::make_unique<plain_allocator>(*from, clock);
  } else {
    auto made = std::make_unique<caching_allocator>(*from, clock, choice.settings);
    caching_ = made.get();
    top_ = std::move(made);
  }
  put_around(segments, choice);
}

allocator_stack::allocator_stack(std::unique_ptr<counted_allocator> own,
                                 const segment_source& segments, const allocator_choice& choice)
    : top_(std::move(own)) {
  for (const rehearsed_refusal& each : choice.rehearsed.refusals) {
    if (each.what != request_kind::segment) continue;
    throw usage_error(
        fmt::format("rehearsal {}: the allocator {} takes its segments itself, so that none can be "
                    "refused; rehearse allocation:N",
                    choice.rehearsed.text(), name_of(choice.kind)));
  }
  if (!choice.rehearsed.empty()) rehearsed_ = std::make_unique<rehearsal>(choice.rehearsed);
  put_around(segments, choice);
}

allocator_stack::~allocator_stack() = default;

void allocator_stack::put_around(const segment_source& segments, const allocator_choice& choice) {
  if (rehearsed_ != nullptr) {
    top_ = std::make_unique<rehearsed_allocator>(std::move(top_), segments, *rehearsed_);
  }
  if (choice.event_log.empty()) return;
  auto logged =
      std::make_unique<logged_allocator>(std::move(top_), choice.event_log, segments.capacity());
  logged_ = logged.get();
  top_ = std::move(logged);
}

void allocator_stack::completed(stream_id stream) {
  if (logged_ != nullptr) logged_->completed(stream);
}

void allocator_stack::completed() {
  if (logged_ != nullptr) logged_->completed();
}

}  // namespace headroom
