// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <vector>

namespace headroom::caching {

/// A queue that keeps its memory, so that steady work allocates nothing.
template <typename Element>
class ring {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] const Element& front() const { return slots_[first_]; }
  void push_back(const Element& added) {
    if (count_ == slots_.size()) grow();
    slots_[(first_ + count_++) & (slots_.size() - 1)] = added;
  }
  void pop_front() {
    first_ = (first_ + 1) & (slots_.size() - 1);
    --count_;
  }

 private:
  void grow() {
    std::vector<Element> larger(slots_.empty() ? 16 : slots_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) {
      larger[i] = slots_[(first_ + i) & (slots_.size() - 1)];
    }
    slots_ = std::move(larger);
    first_ = 0;
  }

  std::vector<Element> slots_;  ///< as many as a power of two, or none
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace headroom::caching
