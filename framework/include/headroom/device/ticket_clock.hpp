// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <headroom/device/stream.hpp>
#include <mutex>

namespace headroom {

/// Streams without a driver: a stream passes its points only when something waits for it. So what
/// is pending depends on the program alone, never on timing. Thread-safe.
class ticket_clock final : public stream_clock {
 public:
  ticket_clock() = default;
  ~ticket_clock() override;
  ticket_clock(const ticket_clock&) = delete;
  ticket_clock& operator=(const ticket_clock&) = delete;

  stream_point record(stream_id stream) override;
  bool passed(const stream_point& point) override;
  /// The stream passes the point, and with it what the stream itself had to wait for.
  void wait(const stream_point& point) override;
  void segment_given_back() override { complete_all(); }

  /// What is queued on `waiter` from now on waits for what is queued on `before` so far.
  void order_after(stream_id waiter, stream_id before);
  /// The stream passes everything queued on it so far.
  void complete(stream_id stream);
  void complete_all();

 private:
  struct stream_state;
  static constexpr std::size_t bucket_count = 64;

  stream_state& state_of(stream_id stream);
  void pass(stream_state& state, std::uint64_t number);

  std::array<std::atomic<stream_state*>, bucket_count> buckets_{};
  std::mutex orders_;  ///< guards what streams wait for; not taken where no stream does
};

}  // namespace headroom
