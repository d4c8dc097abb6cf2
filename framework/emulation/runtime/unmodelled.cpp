// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Every name that the library exports and does not model. Here no call is declared: arguments are
// not looked at.
#include "unmodelled.hpp"

#include <iterator>

namespace headroom::emulation::runtime {
namespace {

constexpr const char* names[] = {
#define HEADROOM_UNMODELLED(index, name) #name,
#include HEADROOM_UNMODELLED_CALLS
};
std::atomic<std::uint64_t> counts[std::size(names)];

}  // namespace

const char* const* const unmodelled_names = names;
std::atomic<std::uint64_t>* const unmodelled_counts = counts;
const std::size_t unmodelled_count = std::size(names);

}  // namespace headroom::emulation::runtime

#define HEADROOM_UNMODELLED(index, name)                                                        \
  extern "C" int name() {                                                                       \
    return headroom::emulation::answer_unmodelled(headroom::emulation::runtime::this_library(), \
                                                  index);                                       \
  }
#include HEADROOM_UNMODELLED_CALLS
