// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/reduction.hpp>

namespace headroom::kernels {

struct nccl_reduction_result {
  std::unique_ptr<reduction> made;
  std::string missing;  ///< why there is none
};

/// Makes a communicator for each device.
/// @param devices  cards
/// @throws device_error where NCCL is there and fails
[[nodiscard]] nccl_reduction_result make_nccl_reduction(std::span<device* const> devices);

}  // namespace headroom::kernels
