// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <headroom/device/plan_device.hpp>
#include <memory>
#include <vector>

/// A device whose allocator never gets certain blocks back: the mistake of a program that forgets
/// to free them.
namespace headroom::test {

class forgetful_allocator final : public allocator {
 public:
  /// @param first, count  the blocks of tag `activations` that are forgotten, by the order in which
  ///                      they were asked for, from 0
  forgetful_allocator(allocator& under, std::size_t first, std::size_t count)
      : under_(under), first_(first), behind_(first + count) {}
  ~forgetful_allocator() override {
    for (const allocation& each : forgotten_) under_.deallocate(each);
  }

  allocation allocate(bytes requested, stream_id stream, tag what) override {
    const allocation made = under_.allocate(requested, stream, what);
    if (what == tag::activations) {
      if (first_ <= asked_ && asked_ < behind_) wanted_.push_back(made.address);
      ++asked_;
    }
    return made;
  }
  void deallocate(const allocation& block) noexcept override {
    for (void*& each : wanted_) {
      if (each != block.address) continue;
      each = nullptr;
      forgotten_.push_back(block);
      return;
    }
    under_.deallocate(block);
  }
  void record_use(const allocation& block, stream_id stream) override {
    under_.record_use(block, stream);
  }
  bytes empty_cache() override { return under_.empty_cache(); }
  [[nodiscard]] allocator_description describe() const override { return under_.describe(); }

  [[nodiscard]] std::size_t forgotten() const { return forgotten_.size(); }

 private:
  allocator& under_;
  std::size_t first_;
  std::size_t behind_;
  std::size_t asked_ = 0;
  std::vector<void*> wanted_;
  std::vector<allocation> forgotten_;
};

class forgetful_device final : public device {
 public:
  forgetful_device(std::string_view size, std::size_t first, std::size_t count)
      : plan_(size), allocator_(plan_.allocator(), first, count) {}

  [[nodiscard]] const device_info& info() const override { return plan_.info(); }
  [[nodiscard]] forgetful_allocator& allocator() override { return allocator_; }
  [[nodiscard]] counter_source& counters() override { return plan_.counters(); }
  [[nodiscard]] system_reading read_system() const override { return plan_.read_system(); }
  [[nodiscard]] bool computes() const override { return false; }
  [[nodiscard]] stream_id create_stream() override { return plan_.create_stream(); }
  void order_after(stream_id waiter, stream_id before) override {
    plan_.order_after(waiter, before);
  }
  void synchronize(stream_id stream) override { plan_.synchronize(stream); }
  void synchronize() override { plan_.synchronize(); }
  [[nodiscard]] void* native_stream(stream_id stream) override {
    return plan_.native_stream(stream);
  }
  void copy_to_device(void*, const void*, bytes, stream_id) override {}
  void copy_to_host(void*, const void*, bytes, stream_id) override {}
  void copy_on_device(void*, const void*, bytes, stream_id) override {}
  void fill_zero(void*, bytes, stream_id) override {}

 private:
  plan_device plan_;
  forgetful_allocator allocator_;
};

}  // namespace headroom::test
