// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/error.hpp>

#include "blas_backend.hpp"

namespace headroom::kernels {

std::unique_ptr<matrix_backend> make_cuda_backend(void* /*native_stream*/, void* /*workspace*/,
                                                  bytes /*workspace_size*/) {
  throw device_error(
      "matrix products on a cuda device, but this build has no CUDA backend; configure with "
      "-DHEADROOM_CUDA=ON");
}

}  // namespace headroom::kernels
