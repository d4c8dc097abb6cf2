// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Maps of tensors for copies by a kernel: the layout is the card's, and kernels are left out.
#include <cstring>

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

namespace {

CUresult encode(call which, CUtensorMap* map, unsigned rank, unsigned least_rank, const void* at,
                const std::uint64_t* sizes) {
  return answer(which, [&](session&) {
    if (map == nullptr || sizes == nullptr || rank < least_rank || rank > 5) {
      return result::invalid_value;
    }
    if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0) return result::invalid_value;
    if (reinterpret_cast<std::uintptr_t>(at) % 16 != 0) return result::invalid_value;
    for (unsigned i = 0; i < rank; ++i) {
      if (sizes[i] == 0 || sizes[i] > (std::uint64_t{1} << 32)) return result::invalid_value;
    }
    std::memset(map->opaque, 0, sizeof map->opaque);
    return result::success;
  });
}

}  // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, int, unsigned rank, void* at,
                                const std::uint64_t* sizes, const std::uint64_t*, const unsigned*,
                                const unsigned*, int, int, int, int) {
  return encode(call::cuTensorMapEncodeTiled_, map, rank, 1, at, sizes);
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, int, unsigned rank, void* at,
                                 const std::uint64_t* sizes, const std::uint64_t*, const int*,
                                 const int*, unsigned, unsigned, const unsigned*, int, int, int,
                                 int) {
  return encode(call::cuTensorMapEncodeIm2col_, map, rank, 3, at, sizes);
}
