// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace headroom::cuda {

/// Throws device_error with the call's name, the runtime's name and text of the error, and the
/// place; clears an error that is not sticky. Does nothing on success.
void check(cudaError_t result, const char* expression,
           std::source_location place = std::source_location::current());

/// For destructors: reports on stderr and goes on.
void report(cudaError_t result, const char* expression) noexcept;

}  // namespace headroom::cuda

#define HEADROOM_CUDA_CHECK(call) ::headroom::cuda::check((call), #call)
