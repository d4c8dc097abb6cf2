// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <initializer_list>

namespace headroom::kernels::detail {

/// Tells an emulated card what the host does in place of a kernel. With a real driver there is
/// nobody to tell, and nothing happens.
/// @param kernel          the address that cudaLaunchKernel gets
/// @param twin            gets the arguments as cudaLaunchKernel does
/// @param argument_sizes  in bytes
/// @return whether there was an emulated card to tell
bool set_host_twin(const void* kernel, void (*twin)(void** arguments),
                   std::initializer_list<std::size_t> argument_sizes);

}  // namespace headroom::kernels::detail
