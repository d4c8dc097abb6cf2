// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Every name that the library exports and does not model. Here no call is declared: arguments are
// not looked at.
#include "unmodelled.hpp"

#include <iterator>

#include "../card/calls.hpp"

namespace headroom::emulation::library {
namespace {

constexpr const char* names[] = {
#define HEADROOM_UNMODELLED(index, name) #name,
#include HEADROOM_UNMODELLED_CALLS
};
std::atomic<std::uint64_t> counts[std::size(names)];

}  // namespace

[[nodiscard]] const call_table& this_library();  // in table.hpp, which needs the table

const char* const* const unmodelled_names = names;
std::atomic<std::uint64_t>* const unmodelled_counts = counts;
const std::size_t unmodelled_count = std::size(names);

}  // namespace headroom::emulation::library

#define HEADROOM_UNMODELLED(index, name)                                                        \
  extern "C" int name() {                                                                       \
    return headroom::emulation::answer_unmodelled(headroom::emulation::library::this_library(), \
                                                  index);                                       \
  }
#include HEADROOM_UNMODELLED_CALLS
