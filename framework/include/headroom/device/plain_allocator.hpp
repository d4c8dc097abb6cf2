// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/counted_allocator.hpp>
#include <headroom/device/segment_source.hpp>
#include <headroom/device/stream.hpp>
#include <memory>

namespace headroom {

/// Each request goes to the driver as it is, and each block back to it: nothing is rounded, cached
/// or tried again. A block that is given back waits for the streams that use it. Thread-safe.
class plain_allocator final : public counted_allocator {
 public:
  /// @param source, clock  must outlive the allocator
  plain_allocator(segment_source& source, stream_clock& clock);
  /// Gives every live block back to the driver.
  ~plain_allocator() override;
  plain_allocator(const plain_allocator&) = delete;
  plain_allocator& operator=(const plain_allocator&) = delete;

  [[nodiscard]] allocation allocate(bytes requested, stream_id stream, tag what) override;
  void deallocate(const allocation& block) noexcept override;
  void record_use(const allocation& block, stream_id stream) override;
  /// There is no cache. @return 0
  bytes empty_cache() override { return {}; }
  [[nodiscard]] allocator_description describe() const override;

  [[nodiscard]] source_description describe_counters() const override;
  [[nodiscard]] source_reading read() const override;
  void reset_peaks() override;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace headroom
