// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace headroom::kernels {

/// The program checkpointing_benchmark. @param arguments  without the program's name
/// @param terminal  whether err is one: progress is shown then
/// @return the exit code that checkpointing_help lists
int run_checkpointing_benchmark(const std::vector<std::string>& arguments, std::ostream& out,
                                std::ostream& err, bool terminal);

}  // namespace headroom::kernels
