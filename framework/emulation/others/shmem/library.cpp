// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../answer.hpp"

using namespace headroom::emulation::others;

namespace {

void* nothing(call which) {
  count(which);
  return nullptr;
}

}  // namespace

extern "C" {
void nvshmem_info_get_version(int* major, int* minor) {
  count(call::nvshmem_info_get_version_);
  *major = 1;
  *minor = 3;
}
void* nvshmem_malloc(std::size_t) { return nothing(call::nvshmem_malloc_); }
void* nvshmem_ptr(const void*, int) { return nothing(call::nvshmem_ptr_); }
void* nvshmemx_mc_ptr(int, const void*) { return nothing(call::nvshmemx_mc_ptr_); }
int nvshmemid_init_status() {
  count(call::nvshmemid_init_status_);
  return 0;
}
}
