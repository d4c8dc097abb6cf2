// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

namespace headroom {

/// The source revision of this build, "" where it was not built from a version-controlled tree. The
/// definition is written by the build (WriteRevision.cmake).
extern const char* const revision;

}  // namespace headroom
