// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/blas.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <headroom_kernels/touch.hpp>

namespace headroom::kernels {

void touch_libraries(device& on, dtype type, bytes workspace) {
  const stream_id stream{};
  constexpr std::int64_t side = 16;
  const shape square{{"rows", side}, {"columns", side}};
  const tensor a(on, stream, square, type, tag::temporary);
  const tensor product(on, stream, square, type, tag::temporary);
  fill_uniform(on, stream, a, 1, 1.0F);
  matrix_library products(on, stream, workspace);
  products.multiply(matrix_of(a), matrix_of(a), matrix_of(product));
  on.synchronize(stream);
}

}  // namespace headroom::kernels
