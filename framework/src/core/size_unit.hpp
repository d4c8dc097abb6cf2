// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <headroom/core/size_text.hpp>
#include <string_view>

namespace headroom::detail {

struct size_unit {
  std::string_view name;
  std::int64_t bytes;
  std::string_view power;  ///< as text for people: "1024^3"
};

/// Rising within each family; B belongs to both.
inline constexpr std::array<size_unit, 5> decimal_units{{{"B", 1, "1"},
                                                         {"kB", 1'000, "1000"},
                                                         {"MB", 1'000'000, "1000^2"},
                                                         {"GB", 1'000'000'000, "1000^3"},
                                                         {"TB", 1'000'000'000'000, "1000^4"}}};
inline constexpr std::array<size_unit, 5> binary_units{{{"B", 1, "1"},
                                                        {"KiB", std::int64_t{1} << 10, "1024"},
                                                        {"MiB", std::int64_t{1} << 20, "1024^2"},
                                                        {"GiB", std::int64_t{1} << 30, "1024^3"},
                                                        {"TiB", std::int64_t{1} << 40, "1024^4"}}};

/// nullptr when there is no such unit; the spelling must be exact
[[nodiscard]] constexpr const size_unit* find_unit(std::string_view name) {
  for (const auto* family : {&decimal_units, &binary_units}) {
    for (const size_unit& unit : *family) {
      if (unit.name == name) return &unit;
    }
  }
  return nullptr;
}

/// True when parse_size accepts the text; explains nothing.
[[nodiscard]] bool is_size(std::string_view text);

/// What is wrong with a text that is no size, and what to write. Never gives a value.
[[nodiscard]] size_result explain_bad_size(std::string_view text);

}  // namespace headroom::detail
