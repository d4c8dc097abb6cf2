// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "../api.hpp"

namespace headroom::test {

/// How often each call of the emulated libraries was made.
using call_counts = std::map<std::string, std::uint64_t>;

/// Since the process began.
inline call_counts calls_made() {
  call_counts all;
  headroom_emulation_each_call(
      [](void* into, const char* name, std::uint64_t count) {
        (*static_cast<call_counts*>(into))[name] += count;
      },
      &all);
  return all;
}

/// Since then. Calls that were not made are left out.
inline call_counts calls_since(const call_counts& then) {
  call_counts made = calls_made();
  for (const auto& [call, count] : then) made[call] -= count;
  std::erase_if(made, [](const auto& each) { return each.second == 0; });
  return made;
}

}  // namespace headroom::test
