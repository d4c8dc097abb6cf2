// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "attributes.hpp"

#include <cstdio>
#include <cstring>

namespace headroom::emulation {

std::optional<int> attribute_of(const device& on, int number) {
  switch (number) {
#define HEADROOM_ATTRIBUTE(name, number, value) \
  case number:                                  \
    return value;
#include "attributes.inc"
    default:
      // Sizes of textures and abilities that nothing here has.
      if (number < 1 || number > last_attribute) return std::nullopt;
      return 0;
  }
}

device_identity identity_of(const device& on) {
  device_identity identity{};
  std::memcpy(identity.uuid, "headroom", 8);
  identity.uuid[15] = static_cast<char>(on.place);
  identity.bus = on.place + 1;
  return identity;
}

std::string bus_text(const device& on) {
  char text[16];
  std::snprintf(text, sizeof text, "0000:%02x:00.0", static_cast<unsigned>(on.place + 1) & 255u);
  return text;
}

}  // namespace headroom::emulation
