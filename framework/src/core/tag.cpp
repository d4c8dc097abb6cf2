// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/tag.hpp>

namespace headroom {

std::string_view name_of(tag t) {
  switch (t) {
    case tag::weights:
      return "weights";
    case tag::gradients:
      return "gradients";
    case tag::optimizer:
      return "optimizer";
    case tag::activations:
      return "activations";
    case tag::kv_cache:
      return "kv_cache";
    case tag::workspace:
      return "workspace";
    case tag::inputs:
      return "inputs";
    case tag::temporary:
      return "temporary";
    case tag::other:
      return "other";
  }
  return "";
}

std::optional<tag> tag_from_name(std::string_view name) {
  for (const tag t : all_tags) {
    if (name_of(t) == name) return t;
  }
  return std::nullopt;
}

}  // namespace headroom
