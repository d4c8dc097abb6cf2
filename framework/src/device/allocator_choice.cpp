// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/device/allocator_choice.hpp>

namespace headroom {
namespace {

constexpr std::array all_allocators{allocator_kind::caching, allocator_kind::plain,
                                    allocator_kind::cuda_async};

}  // namespace

std::string_view name_of(allocator_kind kind) {
  switch (kind) {
    case allocator_kind::caching:
      return "caching";
    case allocator_kind::plain:
      return "plain";
    case allocator_kind::cuda_async:
      return "cuda-async";
  }
  return "";
}

allocator_choice parse_allocator_choice(std::string_view text) {
  for (const allocator_kind kind : all_allocators) {
    if (text != name_of(kind)) continue;
    allocator_choice chosen;
    chosen.kind = kind;
    return chosen;
  }
  if (!text.empty() && text.find(':') == std::string_view::npos) {
    throw usage_error(
        fmt::format("allocator {}: there is no such one; write caching, plain or cuda-async, or "
                    "settings of the caching allocator (max_split_size_mb:128)",
                    quoted_text(text)));
  }
  return parse_allocator_settings(text);
}

}  // namespace headroom
