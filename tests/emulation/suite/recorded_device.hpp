// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom/series/phase_record.hpp>
#include <memory>
#include <vector>

#include "contents.hpp"

namespace headroom::test {

/// When contents are kept.
enum class keep {
  nothing,
  /// Of what is live at the end of a phase. Nothing is queued in between, so that work which lacks
  /// its order is not put into order.
  at_phase_ends,
  /// Of every block when it is given back. Blocks begin as no numbers, so that a read of what was
  /// never written shows.
  at_frees
};

/// Another device, whose memory's contents are kept.
class recorded_device final : public device {
 public:
  recorded_device(std::unique_ptr<device> under, keep when);
  ~recorded_device() override;

  /// For series_options::on_phase_end.
  void phase_ended(const phase_record& phase);
  [[nodiscard]] const std::vector<kept_block>& kept() const;

  [[nodiscard]] const device_info& info() const override { return under_->info(); }
  [[nodiscard]] headroom::allocator& allocator() override;
  [[nodiscard]] counter_source& counters() override { return under_->counters(); }
  [[nodiscard]] system_reading read_system() const override { return under_->read_system(); }
  [[nodiscard]] rehearsal* rehearsed() override { return under_->rehearsed(); }
  [[nodiscard]] bool computes() const override { return under_->computes(); }
  [[nodiscard]] stream_id create_stream() override { return under_->create_stream(); }
  void order_after(stream_id waiter, stream_id before) override {
    under_->order_after(waiter, before);
  }
  void synchronize(stream_id stream) override { under_->synchronize(stream); }
  void synchronize() override { under_->synchronize(); }
  [[nodiscard]] void* native_stream(stream_id stream) override {
    return under_->native_stream(stream);
  }
  void copy_to_device(void* to, const void* from, bytes size, stream_id stream) override {
    under_->copy_to_device(to, from, size, stream);
  }
  void copy_to_host(void* to, const void* from, bytes size, stream_id stream) override {
    under_->copy_to_host(to, from, size, stream);
  }
  void copy_on_device(void* to, const void* from, bytes size, stream_id stream) override {
    under_->copy_on_device(to, from, size, stream);
  }
  void fill_zero(void* to, bytes size, stream_id stream) override {
    under_->fill_zero(to, size, stream);
  }

 private:
  class recorder;
  std::unique_ptr<device> under_;
  std::unique_ptr<recorder> recorder_;
};

}  // namespace headroom::test
