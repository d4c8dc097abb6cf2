// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/launch.hpp>

namespace headroom::kernels::detail {

void refuse_cuda(const device& on) {
  throw usage_error(fmt::format(
      "a kernel body that was compiled as C++ cannot run on {}; compile its source as CUDA "
      "(headroom_kernel_sources, HEADROOM_CUDA=ON)",
      on.info().id));
}

}  // namespace headroom::kernels::detail
