// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "../card/card.hpp"

namespace headroom::emulation::runtime {

/// @return null for a number that is no device's
inline device* device_of(card& all, int number) {
  if (number < 0 || number >= all.visible) return nullptr;
  return all.devices[static_cast<std::size_t>(number)].get();
}

}  // namespace headroom::emulation::runtime
