// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <vector>

namespace headroom::emulation {

/// A variable as it was when this library was loaded, where the program has cleared it since: what
/// the run is found by must outlive an environment that the program makes anew. "" for none.
[[nodiscard]] std::string run_variable(const std::string& name);

/// Lines "NAME=VALUE" of the process, and those of headroom's that it has cleared.
[[nodiscard]] std::vector<std::string> run_environment();

}  // namespace headroom::emulation
