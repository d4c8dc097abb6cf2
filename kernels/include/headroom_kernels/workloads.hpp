// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/workload_description.hpp>
#include <headroom/series/workload.hpp>
#include <headroom/series/workload_registry.hpp>
#include <memory>
#include <vector>

namespace headroom::kernels {

/// The workloads that come with headroom, for a program of commands.
[[nodiscard]] const workload_registry& bundled_workloads();

/// The same entries without the functions that make them: naming them loads no matrix library.
[[nodiscard]] std::vector<workload_entry> describe_bundled_workloads();

/// The bundled workload of that name. @throws usage_error with the names there are, or with what
/// the workload does not accept
[[nodiscard]] std::unique_ptr<workload> make_workload(const workload_description& description);

}  // namespace headroom::kernels
