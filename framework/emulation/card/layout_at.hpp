// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstring>

namespace headroom::emulation {

/// What lies there, whatever its alignment.
template <class Layout>
[[nodiscard]] Layout layout_at(const char* at) {
  Layout value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace headroom::emulation
