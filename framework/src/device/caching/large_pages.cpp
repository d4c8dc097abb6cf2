// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "large_pages.hpp"

#include <sys/mman.h>

#include <new>

namespace headroom::caching {

pages take_large_page() {
  pages taken(std::aligned_alloc(large_page, large_page));
  if (taken == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  // Where it is refused, small pages do.
  (void)madvise(taken.get(), large_page, MADV_HUGEPAGE);
#endif
  return taken;
}

}  // namespace headroom::caching
