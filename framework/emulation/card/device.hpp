// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "address_space.hpp"
#include "memory_watch.hpp"
#include "profile.hpp"
#include "result.hpp"
#include "stream.hpp"

namespace headroom::emulation {

/// The memory of one device: a count.
class device_memory {
 public:
  device_memory(int device, std::uint64_t capacity) : device_(device), capacity_(capacity) {}
  void look_on(memory_watch* watch) { watch_ = watch; }
  [[nodiscard]] bool take(std::uint64_t size, bool context = false) {
    if (size > capacity_ - used_) return false;
    if (watch_ != nullptr && !watch_->take(device_, size, context)) return false;
    used_ += size;
    if (used_ > peak_) peak_ = used_;
    return true;
  }
  void give_back(std::uint64_t size, bool context = false) {
    used_ -= size;
    if (watch_ != nullptr) watch_->give_back(device_, size, context);
  }
  /// Bytes that the program got (above zero) or gave back: as asked for, or a pool's.
  void hand_out(std::int64_t change) {
    if (watch_ != nullptr) watch_->hand_out(device_, change);
  }
  /// A request failed for want of memory.
  void refuse(std::uint64_t size) {
    if (watch_ != nullptr) watch_->refuse(device_, size);
  }
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  /// By this process.
  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t peak() const { return peak_; }
  /// Left by all processes.
  [[nodiscard]] std::uint64_t free() const {
    const std::uint64_t held = watch_ != nullptr ? watch_->used(device_) : used_;
    return held < capacity_ ? capacity_ - held : 0;
  }

 private:
  int device_;
  std::uint64_t capacity_;
  std::uint64_t used_ = 0;
  std::uint64_t peak_ = 0;
  memory_watch* watch_ = nullptr;
};

/// Takings too small for a granule of their own share one, as the driver's do.
struct slab {
  address begin = 0;
  std::map<std::uint64_t, std::uint64_t> free;  ///< length by offset
  std::uint64_t shares = 0;
};

class memory_pool;

/// One emulated card.
struct device {
  device(int number, int at, const card_profile& of)
      : index(number), place(at), profile(of), memory(at, of.capacity), legacy(*this) {}

  int index;  ///< by which this process knows it
  int place;  ///< among the machine's cards, hidden ones too: what all processes know it by
  const card_profile& profile;
  device_memory memory;
  bool active = false;         ///< its primary context exists
  unsigned context_count = 0;  ///< by cuDevicePrimaryCtxRetain
  unsigned flags = 0;
  result fault = result::success;  ///< sticky: every later call answers it
  std::map<address, slab> slabs;
  stream legacy;                                 ///< the legacy default stream
  std::vector<std::unique_ptr<stream>> streams;  ///< created ones, destroyed ones included
  std::set<int> peers;                           ///< devices whose memory it may use
  std::map<int, std::uint64_t> limits{{0, 1024}, {1, 7u << 20}, {2, 8u << 20}, {3, 2},
                                      {4, 2048}, {5, 64},       {6, 0}};  ///< as of cudaLimit
  memory_pool* default_pool = nullptr;
  memory_pool* pool = nullptr;               ///< of cudaMallocAsync
  std::map<unsigned, std::uint64_t> others;  ///< memory of other processes, by their numbers
  std::uint64_t graph_used = 0, graph_used_high = 0;
  std::uint64_t graph_reserved = 0, graph_reserved_high = 0;
};

}  // namespace headroom::emulation
