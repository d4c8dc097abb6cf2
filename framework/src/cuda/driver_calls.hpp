// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cuda.h>

namespace headroom::cuda {

/// The driver's virtual memory calls. Null where the driver has none.
struct driver_calls {
  decltype(&cuMemAddressReserve) address_reserve = nullptr;
  decltype(&cuMemAddressFree) address_free = nullptr;
  decltype(&cuMemCreate) create = nullptr;
  decltype(&cuMemRelease) release = nullptr;
  decltype(&cuMemMap) map = nullptr;
  decltype(&cuMemUnmap) unmap = nullptr;
  decltype(&cuMemSetAccess) set_access = nullptr;

  [[nodiscard]] bool complete() const {
    return address_reserve != nullptr && address_free != nullptr && create != nullptr &&
           release != nullptr && map != nullptr && unmap != nullptr && set_access != nullptr;
  }
};

/// Looked up once, through the runtime.
[[nodiscard]] const driver_calls& driver();

}  // namespace headroom::cuda
