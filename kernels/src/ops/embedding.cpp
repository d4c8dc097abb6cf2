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

/// One row of a launch is one token of the vocabulary: it looks through all rows for its own, so
/// that the order of additions is always the same.
template <class T>
struct embedding_backward_kernel {
  const T* dy;  // [rows, width]
  const std::int32_t* tokens;
  std::int64_t rows;
  float* dtable;  // [vocabulary, width]
  bool add;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t token,
                                       std::int64_t width) const {
    float* own = dtable + token * width;
    if (!add) {
      for (std::int64_t i = together.rank(); i < width; i += together.size()) own[i] = 0.0F;
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      if (tokens[row] != token) continue;
      for (std::int64_t i = together.rank(); i < width; i += together.size()) {
        own[i] += widen(dy[row * width + i]);
      }
    }
  }
};

}  // namespace

void embedding_backward(device& on, stream_id stream, const tensor_view& dy,
                        const class_view& tokens, const tensor_view& dtable, accumulate add) {
  if (tokens.count != dy.dims.rows()) refuse_classes("embedding_backward", dy, tokens.count);
  if (dtable.dims.rank() != 2 || dtable.dims.width() != dy.dims.width() ||
      dtable.type != dtype::float32) {
    refuse("embedding_backward", {{"dy", dy}, {"dtable", dtable}},
           "give both one width, and dtable float32");
  }
  with_element(dy.type, [&]<class T>(T*) {
    launch_rows(on, stream, dtable.dims.rows(), dtable.dims.width(),
                embedding_backward_kernel<T>{elements_of<T>(dy), tokens.address, tokens.count,
                                             elements_of<float>(dtable), add == accumulate::yes});
  });
}

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
