// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <type_traits>

namespace headroom::test {

/// How a value is passed in a call: two declarations of a call fit together where all of these do.
template <class Value>
std::string passed_as() {
  if constexpr (std::is_void_v<Value>) {
    return "nothing";
  } else if constexpr (std::is_pointer_v<Value>) {
    return "pointer";
  } else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>) {
    return "integer of " + std::to_string(sizeof(Value));
  } else {
    return "bytes of " + std::to_string(sizeof(Value));
  }
}

/// "integer of 4 from pointer, pointer, integer of 8"; of the type alone, nothing is called.
template <class Result, class... Arguments>
std::string call_shape(Result (*)(Arguments...)) {
  std::string text = passed_as<Result>() + " from";
  ((text += " " + passed_as<Arguments>() + ","), ...);
  return text;
}

}  // namespace headroom::test
