// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/buffer.hpp>
#include <headroom_kernels/shape.hpp>

namespace headroom::kernels {

/// A contiguous tensor in device memory that somebody else owns.
struct tensor_view {
  void* address = nullptr;
  shape dims;
  dtype type = dtype::float32;
};

/// A contiguous tensor in device memory. Gives it back when it goes; empty after a move.
class tensor {
 public:
  tensor() = default;
  /// Memory for work on `stream`; its content is undefined.
  /// @throws out_of_memory; usage_error when the bytes do not fit 64 bits
  tensor(device& on, stream_id stream, const shape& dims, dtype type, tag what)
      : buffer_(on, storage_of(dims, type), what, stream), dims_(dims), type_(type) {}

  [[nodiscard]] void* address() const { return buffer_.address(); }
  [[nodiscard]] const shape& dims() const { return dims_; }
  [[nodiscard]] dtype type() const { return type_; }
  [[nodiscard]] bytes size() const { return buffer_.size(); }
  [[nodiscard]] tensor_view view() const { return {address(), dims_, type_}; }
  operator tensor_view() const { return view(); }  // an operation takes tensors and views alike

 private:
  buffer buffer_;
  shape dims_;
  dtype type_ = dtype::float32;
};

}  // namespace headroom::kernels
