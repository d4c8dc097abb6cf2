// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/embedding.hpp>

#include <cmath>
#include <headroom_kernels/launch.hpp>

#include "../dispatch.hpp"
#include "refuse.hpp"

namespace headroom::kernels {
namespace {

template <class T>
struct embedding_kernel {
  const T* table;  // [vocabulary, width]
  std::int64_t vocabulary;
  const std::int32_t* tokens;  // [rows]
  T* y;                        // [rows, width]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    const std::int64_t token = tokens[row];
    const bool known = token >= 0 && token < vocabulary;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      y[row * width + i] = known ? table[token * width + i] : narrow<T>(NAN);
    }
  }
};

}  // namespace

void embedding(device& on, stream_id stream, const tensor_view& table, const class_view& tokens,
               const tensor_view& y) {
  if (tokens.count != y.dims.rows()) refuse_classes("embedding", y, tokens.count);
  if (table.dims.rank() != 2 || table.dims.width() != y.dims.width() || table.type != y.type) {
    refuse("embedding", {{"table", table}, {"y", y}}, "give both one type and one width");
  }
  with_element(y.type, [&]<class T>(T*) {
    launch_rows(on, stream, y.dims.rows(), y.dims.width(),
                embedding_kernel<T>{elements_of<T>(table), table.dims.rows(), tokens.address,
                                    elements_of<T>(y)});
  });
}

}  // namespace headroom::kernels
