// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <filesystem>
#include <headroom/core/error.hpp>
#include <headroom/device/counted_allocator.hpp>
#include <headroom/device/event_log.hpp>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace headroom {

/// An allocator that writes down what is asked of it, in the order in which it is done.
class logged_allocator final : public counted_allocator {
 public:
  /// @throws output_error when the file exists or cannot be written
  logged_allocator(std::unique_ptr<counted_allocator> under, const std::filesystem::path& file,
                   bytes capacity)
      : under_(std::move(under)), log_(file, capacity, under_->describe()) {}

  [[nodiscard]] allocation allocate(bytes requested, stream_id stream, tag what) override {
    const std::lock_guard hold(order_);
    try {
      const allocation made = under_->allocate(requested, stream, what);
      log_.allocated(made, stream, what);
      return made;
    } catch (const out_of_memory&) {
      log_.refused(requested, stream, what);
      throw;
    }
  }
  void deallocate(const allocation& block) noexcept override {
    const std::lock_guard hold(order_);
    under_->deallocate(block);
    log_.freed(block);
  }
  void record_use(const allocation& block, stream_id stream) override {
    const std::lock_guard hold(order_);
    under_->record_use(block, stream);
    log_.used(block, stream);
    if (std::find(using_.begin(), using_.end(), stream) == using_.end()) using_.push_back(stream);
  }
  bytes empty_cache() override {
    const std::lock_guard hold(order_);
    log_.emptied_cache();
    return under_->empty_cache();
  }
  void reset_peaks() override {
    const std::lock_guard hold(order_);
    log_.reset_peaks();
    under_->reset_peaks();
  }

  [[nodiscard]] allocator_description describe() const override { return under_->describe(); }
  [[nodiscard]] source_description describe_counters() const override {
    return under_->describe_counters();
  }
  [[nodiscard]] source_reading read() const override { return under_->read(); }

  /// The work queued on the stream is done: blocks that were used there can be handed out again.
  void completed(stream_id stream) {
    const std::lock_guard hold(order_);
    if (std::erase(using_, stream) > 0) log_.completed(stream);
  }
  void completed() {
    const std::lock_guard hold(order_);
    for (const stream_id stream : std::exchange(using_, {})) log_.completed(stream);
  }

 private:
  std::unique_ptr<counted_allocator> under_;
  mutable std::mutex order_;
  event_log log_;
  std::vector<stream_id> using_;  ///< streams with uses since they were last known to be idle
};

}  // namespace headroom
