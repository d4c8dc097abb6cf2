// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/device.hpp>
#include <headroom_kernels/bfloat16.hpp>
#include <headroom_kernels/tensor.hpp>
#include <vector>

/// Elements of tensors as plain vectors, for tests.
namespace headroom::kernels::test {

/// Numbers in [-1, 1), the same in each run; nothing of the library makes them.
inline std::vector<float> random_values(std::int64_t count, std::uint32_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::uint32_t state = seed * 2654435761U + 1U;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(static_cast<double>(state >> 8U) / 8388608.0 - 1.0);
  }
  return values;
}

/// Copies values into memory on the device, rounded to its type.
inline void write(device& on, const tensor_view& to, const std::vector<float>& values) {
  if (to.type == dtype::float32) {
    on.copy_to_device(to.address, values.data(), storage_of(to.dims, to.type), {});
  } else {
    std::vector<bfloat16> rounded;
    for (const float value : values) rounded.push_back(narrow<bfloat16>(value));
    on.copy_to_device(to.address, rounded.data(), storage_of(to.dims, to.type), {});
  }
  on.synchronize();
}

/// All elements, exactly.
inline std::vector<float> read(device& on, const tensor_view& from) {
  std::vector<float> values(static_cast<std::size_t>(from.dims.elements()));
  if (from.type == dtype::float32) {
    on.copy_to_host(values.data(), from.address, storage_of(from.dims, from.type), {});
    on.synchronize();
  } else {
    std::vector<bfloat16> stored(values.size());
    on.copy_to_host(stored.data(), from.address, storage_of(from.dims, from.type), {});
    on.synchronize();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = widen(stored[i]);
  }
  return values;
}

/// A tensor with those values, tag `other`.
inline tensor make(device& on, const shape& dims, dtype type, const std::vector<float>& values) {
  tensor made(on, {}, dims, type, tag::other);
  write(on, made, values);
  return made;
}

/// The largest relative error of one rounding to the type: 24 and 8 bits of precision.
inline double rounding_of(dtype type) { return type == dtype::float32 ? 0x1p-24 : 0x1p-8; }

}  // namespace headroom::kernels::test
