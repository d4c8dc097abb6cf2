// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "reduction_backend.hpp"

namespace headroom::kernels {

nccl_reduction_result make_nccl_reduction(std::span<device* const> /*devices*/) {
  return {nullptr, "this build has no CUDA backend; configure with -DHEADROOM_CUDA=ON"};
}

}  // namespace headroom::kernels
