// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <headroom/series/program_record.hpp>

namespace headroom {

bool may_allocate(std::string_view call) {
  // Of "cudaGraphGetNodes", the words behind the library's own small letters. What asks for a
  // workspace or a plan takes none by itself.
  constexpr std::array harmless{"Get", "Set", "Query", "Destroy",     "Free",   "Release", "Un",
                                "Is",  "Can", "Wait",  "Synchronize", "Memcpy", "Memset"};
  const std::size_t first = call.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (first == std::string_view::npos) return true;
  std::string_view rest = call.substr(first);
  // One noun may stand before: cudaGraphGetNodes, cuCtxGetId, cublasLtGetVersion.
  for (int words = 0; words < 2; ++words) {
    if (std::any_of(harmless.begin(), harmless.end(),
                    [&](const char* verb) { return rest.starts_with(verb); })) {
      return false;
    }
    const std::size_t next = rest.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1);
    if (next == std::string_view::npos) return true;
    rest = rest.substr(next);
  }
  return true;
}

}  // namespace headroom
