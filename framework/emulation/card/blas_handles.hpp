// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "card.hpp"

namespace headroom::emulation {

/// What cublasCreate and cublasLtCreate give: one serves in place of the other, as cuBLAS documents
/// it. Of both majors' libraries. All of it is guarded by card_mutex.
struct blas_handle {
  device* on = nullptr;    ///< current when it was made
  void* stream = nullptr;  ///< of the products
  address workspace = 0;   ///< the program's own; 0: the library's
  std::uint64_t workspace_size = 0;
  int pointer_mode = 0;
  int math_mode = 0;
  int atomics_mode = 0;
  int processors_target = 0;
};

[[nodiscard]] blas_handle& create_blas_handle(device& on);
/// @return null for what is no live handle
[[nodiscard]] blas_handle* find_blas_handle(const void* handle);
void destroy_blas_handle(const blas_handle& which);

}  // namespace headroom::emulation
