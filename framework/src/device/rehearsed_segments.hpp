// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/rehearsal.hpp>
#include <headroom/device/segment_source.hpp>

namespace headroom {

/// A segment source that refuses what a rehearsal says.
class rehearsed_segments final : public segment_source {
 public:
  /// @param under, plan  must outlive it
  rehearsed_segments(segment_source& under, rehearsal& plan) : under_(under), plan_(plan) {}

  [[nodiscard]] void* take(bytes size) override {
    return plan_.refuses(request_kind::segment) ? nullptr : under_.take(size);
  }
  void give_back(void* address, bytes size) noexcept override { under_.give_back(address, size); }

  [[nodiscard]] bool has_ranges() const override { return under_.has_ranges(); }
  [[nodiscard]] void* reserve_range(bytes size) override { return under_.reserve_range(size); }
  void release_range(void* address, bytes size) noexcept override {
    under_.release_range(address, size);
  }
  [[nodiscard]] bool map(void* address, bytes size) override {
    return !plan_.refuses(request_kind::segment) && under_.map(address, size);
  }
  void unmap(void* address, bytes size) noexcept override { under_.unmap(address, size); }

  [[nodiscard]] bytes capacity() const override { return under_.capacity(); }
  [[nodiscard]] std::optional<bytes> free_now() const override { return under_.free_now(); }
  [[nodiscard]] std::string device_id() const override { return under_.device_id(); }

 private:
  segment_source& under_;
  rehearsal& plan_;
};

}  // namespace headroom
