// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/dense_trainer.hpp>
#include <span>

namespace headroom::kernels {

/// One device's part of a training step over several: the same network, its own part of the batch.
struct training_replica {
  device* on = nullptr;
  const dense_trainer* trainer = nullptr;  ///< between backward and update
};

/// Adds up each gradient over all replicas and gives the sum back to each, through the host, in
/// float32 and in the order of the replicas: every device then holds the same bits. Takes no
/// device memory; waits for the devices. Where they do not compute nothing happens.
/// @param at  called with a replica's number before its device is used
/// @throws device_error
void reduce_gradients(std::span<const training_replica> replicas,
                      const std::function<void(std::size_t)>& at = {});

}  // namespace headroom::kernels
