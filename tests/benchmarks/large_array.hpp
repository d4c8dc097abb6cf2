// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace headroom {

/// As many elements as were asked for, each made by its default, on large pages where the system
/// has them: so that a benchmark that goes through them at random does not time the page tables.
template <typename Element>
class large_array {
 public:
  /// @throws std::bad_alloc
  explicit large_array(std::size_t count) : count_(count) {
    const std::size_t size = (count * sizeof(Element) / page + 1) * page;
    all_.reset(static_cast<Element*>(std::aligned_alloc(page, size)));
    if (all_ == nullptr) throw std::bad_alloc();
    // Where it is refused, small pages do.
    (void)madvise(all_.get(), size, MADV_HUGEPAGE);
    std::uninitialized_value_construct_n(all_.get(), count);
  }
  [[nodiscard]] Element& operator[](std::size_t index) { return all_.get()[index]; }
  [[nodiscard]] Element* begin() { return all_.get(); }
  [[nodiscard]] Element* end() { return all_.get() + count_; }

 private:
  static_assert(std::is_trivially_destructible_v<Element>);
  static constexpr std::size_t page = std::size_t{2} << 20U;
  struct release {
    void operator()(Element* all) const { std::free(all); }
  };
  std::unique_ptr<Element, release> all_;
  std::size_t count_;
};

}  // namespace headroom
