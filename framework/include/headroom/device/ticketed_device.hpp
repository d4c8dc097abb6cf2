// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <atomic>
#include <cstdint>
#include <headroom/device/allocator_stack.hpp>
#include <headroom/device/device.hpp>
#include <headroom/device/segment_source.hpp>
#include <headroom/device/ticket_clock.hpp>
#include <memory>

namespace headroom {

/// What the devices without a driver share: the chosen allocator over a segment source, and a
/// ticket clock for their streams, so that their counters are equal.
class ticketed_device : public device {
 public:
  [[nodiscard]] const device_info& info() const override { return info_; }
  [[nodiscard]] headroom::allocator& allocator() override { return stack_.top(); }
  [[nodiscard]] counter_source& counters() override { return stack_.top(); }
  [[nodiscard]] rehearsal* rehearsed() override { return stack_.rehearsed(); }
  /// The caching allocator; null when another one was chosen.
  [[nodiscard]] const caching_allocator* caching() const { return stack_.caching(); }

  [[nodiscard]] stream_id create_stream() override { return stream_id{++last_stream_}; }
  void order_after(stream_id waiter, stream_id before) override {
    clock_.order_after(waiter, before);
  }
  void synchronize(stream_id stream) override {
    clock_.complete(stream);
    stack_.completed(stream);
  }
  void synchronize() override {
    clock_.complete_all();
    stack_.completed();
  }
  [[nodiscard]] void* native_stream(stream_id) override { return nullptr; }

 protected:
  ticketed_device(device_info info, std::unique_ptr<segment_source> source,
                  const allocator_choice& choice);

 private:
  device_info info_;
  std::unique_ptr<segment_source> source_;
  ticket_clock clock_;
  allocator_stack stack_;
  std::atomic<std::uint32_t> last_stream_ = 0;
};

}  // namespace headroom
