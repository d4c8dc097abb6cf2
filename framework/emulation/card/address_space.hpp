// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace headroom::emulation {

using address = std::uint64_t;

/// What the driver gives memory in: device memory is taken in multiples of it.
inline constexpr std::uint64_t granularity = std::uint64_t{2} << 20;

constexpr std::uint64_t round_up(std::uint64_t size, std::uint64_t unit) {
  return (size + unit - 1) / unit * unit;
}

/// Addresses of the emulated cards: one range of the process's own, reserved without memory and
/// without access, so that no host pointer is ever one of them. Addresses ascend and are not given
/// twice until the range is used up.
class address_space {
 public:
  address_space();
  ~address_space();
  address_space(const address_space&) = delete;
  address_space& operator=(const address_space&) = delete;

  /// @param alignment  a multiple of the granularity
  /// @return the first of `size` addresses, without memory behind them; 0 when there are none left
  [[nodiscard]] address reserve(std::uint64_t size, std::uint64_t alignment = granularity);
  /// Takes back what reserve gave, memory behind it included.
  void release(address begin, std::uint64_t size);

  /// Puts host memory behind the addresses, which takes no room before it is touched.
  /// @return false when the system refuses
  [[nodiscard]] bool back(address begin, std::uint64_t size);
  /// The same memory behind every range that is backed with the same `offset`.
  [[nodiscard]] bool back_shared(address begin, std::uint64_t size, std::uint64_t offset);
  /// A place in the shared memory, for back_shared.
  [[nodiscard]] std::uint64_t shared_place(std::uint64_t size);
  void drop_shared(std::uint64_t offset, std::uint64_t size);
  /// Drops the memory behind the addresses and forbids access to them.
  void clear(address begin, std::uint64_t size);

  [[nodiscard]] bool contains(address at) const { return at >= begin_ && at < end_; }

 private:
  address begin_ = 0;
  address end_ = 0;
  address next_ = 0;
  std::map<address, std::uint64_t> free_;  // given back, by first address
  int shared_file_ = -1;
  std::uint64_t shared_end_ = 0;
};

}  // namespace headroom::emulation
