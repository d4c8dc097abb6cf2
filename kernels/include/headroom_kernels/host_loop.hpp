// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom_kernels/team.hpp>

/// What the host does for a launch, in the same order each time: on the cpu device, and in a
/// kernel's place on an emulated card.
namespace headroom::kernels::detail {

template <class Body>
void run_elements(std::int64_t count, const Body& body) {
  for (std::int64_t i = 0; i < count; ++i) body(i);
}

template <class Body>
void run_rows(std::int64_t rows, std::int64_t width, const Body& body) {
  for (std::int64_t row = 0; row < rows; ++row) body(team{}, row, width);
}

}  // namespace headroom::kernels::detail
