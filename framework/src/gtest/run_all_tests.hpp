// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

namespace headroom {

/// Whether skips will reach the program's exit code: run_all_tests() runs the tests.
[[nodiscard]] bool skips_reach_the_exit_code();

}  // namespace headroom
