// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>

namespace headroom::emulation {

/// Looks for libraries in this process that contradict the emulation: a driver or a runtime that
/// is not the emulation's own.
/// @return what was found and what to do, or "" where there is nothing
[[nodiscard]] std::string conflicting_library();

/// Whether a framework's library that caches device memory is in this process (PyTorch's).
[[nodiscard]] bool caching_allocator_loaded();

}  // namespace headroom::emulation
