// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "../abi/blas_types.hpp"

namespace headroom::emulation::blas {

/// As cublasGetVersion and cublasLtGetVersion give them: those of CUDA 12.9 and 13.1.
inline constexpr int version = HEADROOM_ABI_MAJOR == 12 ? 120901 : 130100;
inline constexpr std::size_t runtime_version = HEADROOM_ABI_MAJOR == 12 ? 12090 : 13010;

[[nodiscard]] const char* name_of(cublasStatus_t status);
[[nodiscard]] const char* text_of(cublasStatus_t status);

inline cublasStatus_t property(libraryPropertyType_t type, int* value) {
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  switch (type) {
    case MAJOR_VERSION:
      *value = version / 10000;
      return CUBLAS_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = version / 100 % 100;
      return CUBLAS_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = version % 100;
      return CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

}  // namespace headroom::emulation::blas
