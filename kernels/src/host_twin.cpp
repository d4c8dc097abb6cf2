// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <dlfcn.h>

#include <headroom_kernels/host_twin.hpp>

namespace headroom::kernels::detail {

bool set_host_twin(const void* kernel, void (*twin)(void**),
                   std::initializer_list<std::size_t> argument_sizes) {
  using setter = void (*)(const void*, void (*)(void**), const std::size_t*, std::size_t);
  static const auto set =
      reinterpret_cast<setter>(dlsym(RTLD_DEFAULT, "headroom_emulation_set_host_twin"));
  if (set == nullptr) return false;
  set(kernel, twin, argument_sizes.begin(), argument_sizes.size());
  return true;
}

}  // namespace headroom::kernels::detail
