// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom_kernels/blas.hpp>
#include <limits>

#include "blas_backend.hpp"

namespace headroom::kernels {
namespace {

std::string text_of(const matrix_view& m) {
  return fmt::format("[{}, {}]{}", m.rows, m.columns, m.transposed ? " transposed" : "");
}

[[noreturn]] void refuse(const matrix_view& a, const matrix_view& b, const matrix_view& c,
                         std::string_view why) {
  throw usage_error(fmt::format("matrix product of {} {} and {} {} into {} {}: {}", name_of(a.type),
                                text_of(a), name_of(b.type), text_of(b), name_of(c.type),
                                text_of(c), why));
}

product checked(float alpha, const matrix_view& a, const matrix_view& b, float beta,
                const matrix_view& c) {
  const std::int64_t m = a.transposed ? a.columns : a.rows;
  const std::int64_t k = a.transposed ? a.rows : a.columns;
  const std::int64_t k_of_b = b.transposed ? b.columns : b.rows;
  const std::int64_t n = b.transposed ? b.rows : b.columns;
  if (c.transposed) refuse(a, b, c, "the result is stored as it is; do not transpose it");
  if (k != k_of_b) refuse(a, b, c, "a must have as many columns as b has rows");
  if (c.rows != m || c.columns != n) {
    refuse(a, b, c, "the result must have the rows of a and the columns of b");
  }
  if (a.type != b.type) refuse(a, b, c, "a and b must be of one type");
  if (c.type != a.type && c.type != dtype::float32) {
    refuse(a, b, c, "the result must be of the type of a and b, or float32");
  }
  for (const matrix_view* each : {&a, &b, &c}) {
    if (std::min(each->rows, each->columns) < 1) refuse(a, b, c, "a size is below 1");
    if (each->leading < each->columns) {
      refuse(a, b, c, fmt::format("rows {} elements apart overlap", each->leading));
    }
    if (std::max(each->rows, each->leading) > std::numeric_limits<int>::max()) {
      refuse(a, b, c, "a size does not fit the matrix library's 32 bits; split the product");
    }
  }
  const auto narrowed = [](std::int64_t size) { return static_cast<int>(size); };
  return {narrowed(m),
          narrowed(n),
          narrowed(k),
          alpha,
          a.transposed,
          b.transposed,
          beta,
          a.address,
          b.address,
          c.address,
          narrowed(a.leading),
          narrowed(b.leading),
          narrowed(c.leading),
          a.type,
          c.type};
}

}  // namespace

matrix_view matrix_of(const tensor_view& from) {
  const std::int64_t width = from.dims.width();
  return {from.address, from.dims.rows(), width, width, from.type, false};
}

matrix_view transpose(matrix_view m) {
  m.transposed = !m.transposed;
  return m;
}

matrix_library::matrix_library(device& on, stream_id stream, bytes workspace)
    : device_(on), stream_(stream), workspace_size_(workspace) {
  if (workspace < bytes{1}) {
    throw usage_error(
        fmt::format("a matrix library with a workspace of {} B; give 1 B or more, so "
                    "that its memory is counted",
                    workspace.n));
  }
}

matrix_library::~matrix_library() {
  // The products queued so far still use the workspace, but on the stream that it is given back on.
  backend_.reset();
}

void matrix_library::start() {
  if (started_) return;
  workspace_ = buffer(device_, workspace_size_, tag::workspace, stream_);
  if (device_.computes()) {
    backend_ = device_.info().kind == device_kind::cuda
                   ? make_cuda_backend(device_.native_stream(stream_), workspace_.address(),
                                       workspace_size_)
                   : make_host_backend();
  }
  started_ = true;
}

void matrix_library::multiply(float alpha, const matrix_view& a, const matrix_view& b, float beta,
                              const matrix_view& c) {
  const product p = checked(alpha, a, b, beta, c);
  start();
  if (backend_) backend_->multiply(p);
}

}  // namespace headroom::kernels
