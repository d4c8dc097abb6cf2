// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/dense_trainer.hpp>
#include <headroom_kernels/reduction.hpp>
#include <span>

namespace headroom::kernels {

/// Adds up each gradient over all trainers and gives the sum back to each, in the default stream.
/// @param trainers  of the same network, one a device and in the order of the reduction's; between
///                  backward and update
/// @throws device_error
void reduce_gradients(std::span<const dense_trainer* const> trainers, reduction& by,
                      const device_observer& at = {});

}  // namespace headroom::kernels
