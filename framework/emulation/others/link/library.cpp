// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../answer.hpp"

using namespace headroom::emulation::others;

extern "C" int nvJitLinkVersion(unsigned* major, unsigned* minor) {
  constexpr int wrong = 10;  // NVJITLINK_ERROR_NULL_INPUT
  if (minor == nullptr) return wrong;
  *minor = HEADROOM_ABI_MAJOR == 12 ? 9 : 0;
  return put(call::nvJitLinkVersion_, major, unsigned{HEADROOM_ABI_MAJOR}, wrong);
}
