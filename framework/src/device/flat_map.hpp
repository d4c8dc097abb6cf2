// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace headroom {

/// From numbers to values: open addressing, nothing allocated in steady state.
template <typename Value>
class flat_map {
 public:
  /// @return the new value; null when the key is there already
  Value* add(std::uint64_t key) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    std::size_t at = home_of(key);
    for (; slots_[at].used; at = next(at)) {
      if (slots_[at].key == key) return nullptr;
    }
    slots_[at] = {key, true, {}};
    ++count_;
    return &slots_[at].value;
  }

  Value* find(std::uint64_t key) {
    for (std::size_t at = home_of(key); slots_[at].used; at = next(at)) {
      if (slots_[at].key == key) return &slots_[at].value;
    }
    return nullptr;
  }

  /// @pre the key is there
  void remove(std::uint64_t key) {
    std::size_t hole = home_of(key);
    while (slots_[hole].key != key || !slots_[hole].used) hole = next(hole);
    slots_[hole] = {};
    --count_;
    // Those behind move up, so that no search meets the hole before its key.
    for (std::size_t at = next(hole); slots_[at].used; at = next(at)) {
      const std::size_t home = home_of(slots_[at].key);
      if (((at - home) & mask()) < ((at - hole) & mask())) continue;
      slots_[hole] = std::exchange(slots_[at], {});
      hole = at;
    }
  }

 private:
  struct slot {
    std::uint64_t key = 0;
    bool used = false;
    Value value{};
  };

  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  [[nodiscard]] std::size_t home_of(std::uint64_t key) const {
    return (key * 0x9e3779b97f4a7c15U) >> (64 - std::countr_zero(slots_.size()));
  }
  void grow() {
    std::vector<slot> old(slots_.size() * 2);
    old.swap(slots_);
    count_ = 0;
    for (slot& each : old) {
      if (each.used) *add(each.key) = std::move(each.value);
    }
  }

  std::vector<slot> slots_ = std::vector<slot>(64);
  std::size_t count_ = 0;
};

}  // namespace headroom
