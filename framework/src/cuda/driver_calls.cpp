// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "driver_calls.hpp"

#include <cuda_runtime_api.h>

namespace headroom::cuda {
namespace {

template <class Function>
void look_up(Function& function, const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  constexpr unsigned since = 11000;  // virtual memory management has this shape since CUDA 11
  if (cudaGetDriverEntryPointByVersion(name, &found, since, cudaEnableDefault, &status) ==
          cudaSuccess &&
      status == cudaDriverEntryPointSuccess) {
    function = reinterpret_cast<Function>(found);
  } else {
    (void)cudaGetLastError();
  }
}

driver_calls look_up_all() {
  driver_calls calls;
  look_up(calls.address_reserve, "cuMemAddressReserve");
  look_up(calls.address_free, "cuMemAddressFree");
  look_up(calls.create, "cuMemCreate");
  look_up(calls.release, "cuMemRelease");
  look_up(calls.map, "cuMemMap");
  look_up(calls.unmap, "cuMemUnmap");
  look_up(calls.set_access, "cuMemSetAccess");
  return calls;
}

}  // namespace

const driver_calls& driver() {
  static const driver_calls calls = look_up_all();
  return calls;
}

}  // namespace headroom::cuda
