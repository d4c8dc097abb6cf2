// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "card.hpp"

namespace headroom::emulation {

using memory_handle = unsigned long long;

/// A piece of a device's memory without an address.
struct physical_memory {
  std::uint64_t size = 0;
  int device = 0;
  unsigned references = 1;  ///< by create and retain
  unsigned mapped = 0;      ///< ranges that it stands behind
  bool backed = false;
  std::uint64_t place = 0;  ///< in the address space's shared memory
};

/// Ranges of addresses, memory without addresses, and the one behind the other: as cuMemMap and its
/// kind. Sizes and addresses are multiples of the granularity.
class virtual_memory {
 public:
  explicit virtual_memory(card& all) : all_(all) {}

  /// @param alignment  0, or a power of two
  [[nodiscard]] result reserve(std::uint64_t size, std::uint64_t alignment, address& at);
  /// @return invalid_value for anything but a whole range with nothing mapped in it
  [[nodiscard]] result free(address at, std::uint64_t size);

  [[nodiscard]] result create(device& on, std::uint64_t size, memory_handle& handle);
  [[nodiscard]] result retain(address at, memory_handle& handle);
  /// The memory goes back when it is mapped nowhere any more.
  [[nodiscard]] result release(memory_handle handle);
  [[nodiscard]] const physical_memory* find(memory_handle handle) const;

  /// Puts all of the memory behind a part of a reserved range that has none yet. Without access.
  [[nodiscard]] result map(address at, std::uint64_t size, std::uint64_t offset,
                           memory_handle handle);
  /// @param size  whole mapped pieces. Waits for the devices first
  [[nodiscard]] result unmap(card_lock& lock, address at, std::uint64_t size);
  /// @param size  whole mapped pieces @param flags  0 none, 1 reading, 3 reading and writing
  [[nodiscard]] result set_access(address at, std::uint64_t size, int device, unsigned flags);
  /// @return 0 where there is none
  [[nodiscard]] unsigned access(address at, int device) const;

 private:
  struct mapping {
    std::uint64_t size = 0;
    memory_handle handle = 0;
    std::map<int, unsigned> access;  ///< by device
  };
  using mappings = std::map<address, mapping>;
  /// The mapped pieces that make up the range exactly; none when they do not.
  [[nodiscard]] std::vector<mappings::iterator> pieces(address at, std::uint64_t size);
  void drop_if_unused(memory_handle handle);

  card& all_;
  std::map<address, std::uint64_t> ranges_;
  mappings mapped_;
  std::unordered_map<memory_handle, physical_memory> memory_;
  memory_handle last_handle_ = 0;
};

}  // namespace headroom::emulation
