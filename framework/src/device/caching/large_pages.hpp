// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace headroom::caching {

struct release_pages {
  void operator()(void* pages) const { std::free(pages); }
};
using pages = std::unique_ptr<void, release_pages>;

/// How much is taken at once where there is much.
inline constexpr std::size_t large_page = std::size_t{2} << 20U;

/// Memory at a multiple of 2 MiB, on one large page where the system has them: among a million
/// records, half of what finding one takes is finding its page. @throws std::bad_alloc
[[nodiscard]] pages take_large_page();

}  // namespace headroom::caching
