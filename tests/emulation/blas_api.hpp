// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// cuBLAS and cuBLASLt, as the Toolkit's headers declare them or as the emulation's own do.
#include "api.hpp"
#ifdef HEADROOM_TEST_WITH_TOOLKIT
#include <cublasLt.h>
#include <cublas_v2.h>
#else
#include "emulation/abi/blas_calls.hpp"
#include "emulation/abi/lt_calls.hpp"
#endif

#include <bit>
#include <vector>

/// Device memory with values in it.
template <class T>
T* on_device(const std::vector<T>& values) {
  void* at = nullptr;
  EXPECT_EQ(cudaMalloc(&at, values.size() * sizeof(T)), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(at, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
            cudaSuccess);
  // The copy from pageable memory is queued on the legacy stream, which other streams do not heed.
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  return static_cast<T*>(at);
}
template <class T>
std::vector<T> on_host(const T* at, std::size_t count) {
  std::vector<T> values(count);
  EXPECT_EQ(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
  return values;
}

/// bfloat16 as its bits. Only values that it holds exactly are used.
inline std::uint16_t to_bfloat16(float value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}
inline float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}
