// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/workload_description.hpp>
#include <headroom/series/workload.hpp>
#include <memory>
#include <string>
#include <vector>

namespace headroom::kernels {

/// The bundled workload of that name. @throws usage_error with the names there are, or with what
/// the workload does not accept
[[nodiscard]] std::unique_ptr<workload> make_workload(const workload_description& description);

/// Names that make_workload knows.
[[nodiscard]] std::vector<std::string> workload_names();

}  // namespace headroom::kernels
