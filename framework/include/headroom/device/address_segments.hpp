// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <atomic>
#include <cstdint>
#include <headroom/device/segment_source.hpp>
#include <string>

namespace headroom {

/// Addresses without memory behind them, against a capacity. Addresses ascend and are never given
/// twice; reading or writing there is an error.
class address_segments final : public segment_source {
 public:
  /// @param capacity above zero
  /// @throws usage_error
  address_segments(bytes capacity, std::string device_id);

  [[nodiscard]] void* take(bytes size) override;
  void give_back(void* address, bytes size) noexcept override;

  [[nodiscard]] bool has_ranges() const override { return true; }
  [[nodiscard]] void* reserve_range(bytes size) override;
  void release_range(void* address, bytes size) noexcept override;
  [[nodiscard]] bool map(void* address, bytes size) override;
  void unmap(void* address, bytes size) noexcept override;

  /// The most bytes that were held at once.
  [[nodiscard]] bytes most_held() const { return most_held_; }

  [[nodiscard]] bytes capacity() const override { return capacity_; }
  [[nodiscard]] std::optional<bytes> free_now() const override { return capacity_ - bytes{used_}; }
  [[nodiscard]] std::string device_id() const override { return device_id_; }

 private:
  [[nodiscard]] bool hold(bytes size);
  [[nodiscard]] void* next_addresses(bytes size);

  bytes capacity_;
  std::atomic<std::int64_t> used_ = 0;  ///< free_now is read from any thread
  bytes most_held_;
  std::uintptr_t next_;
  std::string device_id_;
};

}  // namespace headroom
