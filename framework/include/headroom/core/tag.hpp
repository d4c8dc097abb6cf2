// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <headroom/core/bytes.hpp>
#include <optional>
#include <string_view>

namespace headroom {

/// What a block is for.
enum class tag : unsigned char {
  weights,
  gradients,
  optimizer,
  activations,
  kv_cache,
  workspace,
  inputs,
  temporary,
  other
};
inline constexpr std::size_t tag_count = 9;
inline constexpr std::array<tag, tag_count> all_tags{
    tag::weights,   tag::gradients, tag::optimizer, tag::activations, tag::kv_cache,
    tag::workspace, tag::inputs,    tag::temporary, tag::other};

[[nodiscard]] std::string_view name_of(tag t);
[[nodiscard]] std::optional<tag> tag_from_name(std::string_view name);

/// Allocated bytes of each tag.
class tag_table {
 public:
  constexpr bytes& operator[](tag t) { return values_[static_cast<std::size_t>(t)]; }
  constexpr bytes operator[](tag t) const { return values_[static_cast<std::size_t>(t)]; }
  [[nodiscard]] constexpr bytes total() const {
    bytes sum;
    for (const bytes value : values_) sum += value;
    return sum;
  }
  friend constexpr bool operator==(const tag_table&, const tag_table&) = default;

 private:
  std::array<bytes, tag_count> values_{};
};

}  // namespace headroom
