// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/dtype.hpp>

namespace headroom::kernels {

/// One kernel and one small matrix product, so that the context, the matrix library and the first
/// module are loaded. Other kernels are loaded at their first launch, unless the process was
/// started with CUDA_MODULE_LOADING=EAGER. Gives all its memory back; waits for the work.
/// @param workspace  of the matrix library
/// @throws out_of_memory, device_error
void touch_libraries(device& on, dtype type, bytes workspace);

}  // namespace headroom::kernels
