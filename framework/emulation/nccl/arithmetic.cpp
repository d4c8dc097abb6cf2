// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "arithmetic.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "small_floats.hpp"

namespace headroom::emulation::nccl {
namespace {

/// A type that the host computes in itself.
template <class Value>
struct plain {
  using bits = Value;
  static Value decode(Value from) { return from; }
  static Value encode(Value from) { return from; }
};

/// Calls body with a codec of the type.
template <class Body>
void with(ncclDataType_t type, Body body) {
  switch (type) {
    case ncclInt8:
      return body(plain<std::int8_t>());
    case ncclUint8:
      return body(plain<std::uint8_t>());
    case ncclInt32:
      return body(plain<std::int32_t>());
    case ncclUint32:
      return body(plain<std::uint32_t>());
    case ncclInt64:
      return body(plain<std::int64_t>());
    case ncclUint64:
      return body(plain<std::uint64_t>());
    case ncclFloat16:
      return body(float16());
    case ncclFloat32:
      return body(plain<float>());
    case ncclFloat64:
      return body(plain<double>());
    case ncclBfloat16:
      return body(bfloat16());
    case ncclFloat8e4m3:
      return body(float8_e4m3());
    case ncclFloat8e5m2:
      return body(float8_e5m2());
  }
}

/// Whole numbers wrap: computed without a sign.
template <class Value>
auto wrapping(Value from) {
  if constexpr (std::is_integral_v<Value>) {
    return static_cast<std::uint64_t>(from);
  } else {
    return from;
  }
}

template <class Value>
Value combine(ncclRedOp_t op, Value a, Value b) {
  switch (op) {
    case ncclProd:
      return static_cast<Value>(wrapping(a) * wrapping(b));
    case ncclMax:
      return std::max(a, b);
    case ncclMin:
      return std::min(a, b);
    default:
      return static_cast<Value>(wrapping(a) + wrapping(b));
  }
}

template <class Bits>
Bits read(const std::vector<char>& from, std::size_t index) {
  Bits value{};
  if (!from.empty()) std::memcpy(&value, from.data() + index * sizeof value, sizeof value);
  return value;
}

}  // namespace

std::size_t size_of(ncclDataType_t type) {
  std::size_t size = 0;
  with(type, [&](auto codec) { size = sizeof(typename decltype(codec)::bits); });
  return size;
}

const char* name_of(ncclDataType_t type) {
  constexpr const char* names[] = {"int8",    "uint8",    "int32",      "uint32",
                                   "int64",   "uint64",   "float16",    "float32",
                                   "float64", "bfloat16", "float8e4m3", "float8e5m2"};
  return size_of(type) == 0 ? "no type" : names[type];
}

std::vector<char> reduce(ncclDataType_t type, ncclRedOp_t op, std::size_t count,
                         const std::vector<std::vector<char>>& from) {
  std::vector<char> out(count * size_of(type));
  with(type, [&](auto codec) {
    using bits = typename decltype(codec)::bits;
    using value = decltype(codec.decode(bits{}));
    for (std::size_t i = 0; i < count; ++i) {
      value sum = codec.decode(read<bits>(from[0], i));
      for (std::size_t r = 1; r < from.size(); ++r) {
        sum = combine(op, sum, codec.decode(read<bits>(from[r], i)));
      }
      if (op == ncclAvg) sum = static_cast<value>(sum / static_cast<value>(from.size()));
      const bits made = codec.encode(sum);
      std::memcpy(out.data() + i * sizeof made, &made, sizeof made);
    }
  });
  return out;
}

void multiply(ncclDataType_t type, std::vector<char>& contents, const void* scalar) {
  with(type, [&](auto codec) {
    using bits = typename decltype(codec)::bits;
    bits factor{};
    std::memcpy(&factor, scalar, sizeof factor);
    for (std::size_t i = 0; i < contents.size() / sizeof factor; ++i) {
      const bits made = codec.encode(
          combine(ncclProd, codec.decode(read<bits>(contents, i)), codec.decode(factor)));
      std::memcpy(contents.data() + i * sizeof made, &made, sizeof made);
    }
  });
}

}  // namespace headroom::emulation::nccl
