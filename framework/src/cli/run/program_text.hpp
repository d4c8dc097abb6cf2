// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/series/series_record.hpp>
#include <string>
#include <vector>

namespace headroom::cli {

/// What a program's series has beyond those of workloads, for people: its processes, what stands
/// outside of a framework's allocator, calls that were not modelled.
/// @param artifacts  of each process, where there are several
[[nodiscard]] std::string program_text(const series_record& series,
                                       const std::vector<std::filesystem::path>& artifacts);

}  // namespace headroom::cli
