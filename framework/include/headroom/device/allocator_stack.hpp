// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/allocator_choice.hpp>
#include <headroom/device/caching_allocator.hpp>
#include <headroom/device/counted_allocator.hpp>
#include <headroom/device/rehearsal.hpp>
#include <headroom/device/segment_source.hpp>
#include <headroom/device/stream.hpp>
#include <memory>

namespace headroom {

class logged_allocator;

/// A device's allocator as it was chosen, with what refuses for a rehearsal and what writes an
/// event log around it.
class allocator_stack {
 public:
  /// @param segments, clock  of the device; must outlive it
  /// @throws usage_error when the device has not what the choice needs
  allocator_stack(segment_source& segments, stream_clock& clock, const allocator_choice& choice);
  /// Around an allocator of the device's own, whose segments are not asked for here: a rehearsal
  /// then refuses allocations only. @throws usage_error when segments are to be refused
  allocator_stack(std::unique_ptr<counted_allocator> own, const segment_source& segments,
                  const allocator_choice& choice);
  ~allocator_stack();
  allocator_stack(const allocator_stack&) = delete;
  allocator_stack& operator=(const allocator_stack&) = delete;

  [[nodiscard]] counted_allocator& top() { return *top_; }
  /// The caching allocator in it; null when another one was chosen.
  [[nodiscard]] const caching_allocator* caching() const { return caching_; }
  /// The work queued on the stream is done: for the event log, where one is written.
  void completed(stream_id stream);
  /// All streams.
  void completed();
  /// Null when nothing is rehearsed.
  [[nodiscard]] rehearsal* rehearsed() { return rehearsed_.get(); }

 private:
  void put_around(const segment_source& segments, const allocator_choice& choice);

  std::unique_ptr<rehearsal> rehearsed_;
  std::unique_ptr<segment_source> refusing_;
  std::unique_ptr<counted_allocator> top_;
  const caching_allocator* caching_ = nullptr;
  logged_allocator* logged_ = nullptr;
};

}  // namespace headroom
