// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/counters.hpp>

namespace headroom {

std::string_view name_of(counter_id id) {
  switch (id) {
    case counter_id::allocated_current:
      return "allocated_current";
    case counter_id::allocated_peak:
      return "allocated_peak";
    case counter_id::reserved_current:
      return "reserved_current";
    case counter_id::reserved_peak:
      return "reserved_peak";
  }
  return "";
}

std::string_view words_of(counter_id id) {
  switch (id) {
    case counter_id::allocated_current:
      return "allocated current";
    case counter_id::allocated_peak:
      return "allocated peak";
    case counter_id::reserved_current:
      return "reserved current";
    case counter_id::reserved_peak:
      return "reserved peak";
  }
  return "";
}

std::optional<counter_id> counter_from_name(std::string_view name) {
  for (const counter_id id : all_counters) {
    if (name_of(id) == name) return id;
  }
  return std::nullopt;
}

}  // namespace headroom
