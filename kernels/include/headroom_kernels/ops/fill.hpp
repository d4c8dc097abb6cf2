// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/device.hpp>
#include <headroom_kernels/ops/loss.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// Queues random numbers, uniform in [-scale, scale), into y. Element i is a function of the seed
/// and i alone: the same on every device, whatever the order in which it is computed.
/// @param first  i of y's first element, where y is a part of more
void fill_uniform(device& on, stream_id stream, const tensor_view& y, std::uint64_t seed,
                  float scale, std::int64_t first = 0);

/// Queues random class numbers from 0 to below `classes`, by the same rule.
/// @param classes  from 1 to 2^31
void fill_classes(device& on, stream_id stream, const class_view& y, std::uint64_t seed,
                  std::int64_t classes);

/// The seed of one of many tensors: unrelated for each pair of seed and number.
[[nodiscard]] std::uint64_t seed_of(std::uint64_t seed, std::uint64_t number);

}  // namespace headroom::kernels
