// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <map>
#include <mutex>

#include "conformance/source_under_test.hpp"

namespace headroom::conformance {

/// A device's own allocator and its counters.
class device_source final : public source_under_test {
 public:
  explicit device_source(std::unique_ptr<device> on) : on_(std::move(on)) {}
  ~device_source() override {
    for (const auto& [address, block] : live_) on_->allocator().deallocate(block);
  }

  counter_source& source() override { return on_->counters(); }
  void* allocate(bytes size) override {
    const allocation block = on_->allocator().allocate(size, {}, tag::activations);
    const std::lock_guard hold(lock_);
    live_.emplace(block.address, block);
    return block.address;
  }
  void give_back(void* address, bytes) override {
    const std::lock_guard hold(lock_);
    on_->allocator().deallocate(live_.at(address));
    live_.erase(address);
  }
  void settle() override { on_->synchronize(); }

 private:
  std::unique_ptr<device> on_;
  std::mutex lock_;
  std::map<void*, allocation> live_;
};

}  // namespace headroom::conformance
