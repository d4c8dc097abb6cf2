// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace headroom::emulation::library {

/// The names that the library exports and does not model, and how often each was called.
extern const char* const* const unmodelled_names;
extern std::atomic<std::uint64_t>* const unmodelled_counts;
extern const std::size_t unmodelled_count;

}  // namespace headroom::emulation::library
