// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

/// What the stand-in for the CUDA libraries knows of its one device: memory is addresses and a
/// count, a stream is two numbers. Addresses ascend and are never given twice, so that the order
/// of addresses is the order in which segments were taken.
class device_model {
 public:
  static constexpr std::uint64_t granularity = 2u << 20;

  struct stream {
    std::uint64_t queued = 0;
    std::uint64_t passed = 0;
  };
  struct event {
    stream* on = nullptr;
    std::uint64_t number = 0;
    [[nodiscard]] bool passed() const { return on == nullptr || on->passed >= number; }
  };
  struct place {
    std::uint64_t ordinal = 0;
    std::uint64_t offset = 0;
  };

  std::uint64_t capacity = std::uint64_t{24} * 1000 * 1000 * 1000;
  std::uint64_t used = 0;

  [[nodiscard]] bool take(std::uint64_t size) {
    if (size > capacity - used) return false;
    used += size;
    return true;
  }
  void give_back(std::uint64_t size) { used -= size; }

  /// New addresses, numbered in the order of the calls.
  std::uint64_t set_aside(std::uint64_t size) {
    const std::uint64_t begin = next_;
    begins_.emplace(begin, begins_.size());
    next_ += (size + granularity - 1) / granularity * granularity + granularity;
    return begin;
  }
  [[nodiscard]] place locate(std::uint64_t address) const {
    const auto behind = begins_.upper_bound(address);
    const auto& [begin, ordinal] = *std::prev(behind);
    return {ordinal, address - begin};
  }

  stream& of(const void* handle) { return streams_[handle]; }
  void synchronize() {
    for (auto& [handle, each] : streams_) each.passed = each.queued;
  }

  std::unordered_map<std::uint64_t, std::uint64_t> segments;  ///< from cudaMalloc: size by address
  std::unordered_map<std::uint64_t, std::uint64_t> pages;     ///< from cuMemCreate: size by handle

 private:
  std::uint64_t next_ = std::uint64_t{1} << 45;
  std::map<std::uint64_t, std::uint64_t> begins_;
  std::unordered_map<const void*, stream> streams_;
};

/// The one device.
device_model& model();
