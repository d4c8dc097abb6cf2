// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

namespace headroom::emulation {

/// Looks on while memory of the cards is taken and handed out. Called with card_mutex held.
class memory_watch {
 public:
  virtual ~memory_watch() = default;
  /// @param context  taken for the context itself, not by the program
  /// @return false where other processes hold so much that it does not fit
  [[nodiscard]] virtual bool take(int device, std::uint64_t size, bool context) = 0;
  virtual void give_back(int device, std::uint64_t size, bool context) = 0;
  /// Bytes that the program got (above zero) or gave back.
  virtual void hand_out(int device, std::int64_t change) = 0;
  /// A request failed for want of memory.
  virtual void refuse(int device, std::uint64_t size) = 0;
  /// What all processes hold of a card, contexts included.
  [[nodiscard]] virtual std::uint64_t used(int device) const = 0;
};

}  // namespace headroom::emulation
