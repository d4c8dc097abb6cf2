// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/bfloat16.hpp>
#include <headroom_kernels/dtype.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// Calls `use` with a null pointer of the element type.
template <class Use>
void with_element(dtype type, Use&& use) {
  if (type == dtype::float32) {
    use(static_cast<float*>(nullptr));
  } else {
    use(static_cast<bfloat16*>(nullptr));
  }
}

/// The elements of a view. @tparam T  the view's element type
template <class T>
T* elements_of(const tensor_view& view) {
  return static_cast<T*>(view.address);
}

}  // namespace headroom::kernels
