// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// The few calls of libraries whose work is not modelled: versions, texts, and what answers with a
// pointer or a length, where the library's number for "not supported" would be taken for one.
#include <cstddef>

#include "../library/table.hpp"

namespace headroom::emulation::others {

using library::call;
using library::count;

/// @param wrong  what the library answers for a null pointer
template <class Value>
int put(call which, Value* to, Value from, int wrong) {
  count(which);
  if (to == nullptr) return wrong;
  *to = from;
  return 0;
}

/// A version in parts, as every library's GetProperty gives it.
/// @param part  0 major, 1 minor, 2 patch
inline int property(call which, int part, int* to, const int (&version)[3], int wrong) {
  if (part < 0 || part > 2) {
    count(which);
    return wrong;
  }
  return put(which, to, version[part], wrong);
}

/// @return the name of a number, "unknown" for one that is none
template <std::size_t N>
const char* name_of(const char* const (&names)[N], int number) {
  return number >= 0 && static_cast<std::size_t>(number) < N ? names[number] : "unknown";
}

}  // namespace headroom::emulation::others
