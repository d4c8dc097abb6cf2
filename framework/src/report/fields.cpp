// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "fields.hpp"

#include <fmt/format.h>

#include <headroom/report/words.hpp>

namespace headroom::detail {

std::string field(std::string_view name, std::string_view value) {
  return fmt::format("  {:<11}{}\n", name, wrap_column(printable(value), 13));
}

nlohmann::ordered_json to_json(const std::optional<bytes>& size) {
  return size ? nlohmann::ordered_json(size->n) : nlohmann::ordered_json(nullptr);
}

}  // namespace headroom::detail
