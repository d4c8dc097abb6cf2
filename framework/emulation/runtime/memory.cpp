// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/memory.hpp"

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

/// Rows of pitched memory begin at multiples of this (assumed; the driver's is not documented).
constexpr std::size_t pitch_unit = 512;

result take_into(device_session& now, std::size_t size, void** at) {
  if (at == nullptr) return result::invalid_value;
  address taken = 0;
  const result answer = take(now.all, now.on, size, taken);
  if (answer == result::success) *at = pointer(taken);
  return answer;
}

}  // namespace

cudaError_t cudaMalloc(void** at, std::size_t size) {
  return answer_unsafe(call::cudaMalloc_,
                       [&](device_session& now) { return take_into(now, size, at); });
}

cudaError_t cudaMallocPitch(void** at, std::size_t* pitch, std::size_t width, std::size_t height) {
  return answer_unsafe(call::cudaMallocPitch_, [&](device_session& now) {
    if (pitch == nullptr) return result::invalid_value;
    std::size_t size = 0;
    const std::size_t row = round_up(width, pitch_unit);
    if (row < width || __builtin_mul_overflow(row, height, &size)) return result::invalid_value;
    const result answer = take_into(now, size, at);
    if (answer == result::success) *pitch = row;
    return answer;
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* at, cudaExtent extent) {
  return answer_unsafe(call::cudaMalloc3D_, [&](device_session& now) {
    if (at == nullptr) return result::invalid_value;
    const std::size_t row = round_up(extent.width, pitch_unit);
    std::size_t plane = 0;
    std::size_t size = 0;
    if (row < extent.width || __builtin_mul_overflow(row, extent.height, &plane) ||
        __builtin_mul_overflow(plane, extent.depth, &size)) {
      return result::invalid_value;
    }
    void* taken = nullptr;
    const result answer = take_into(now, size, &taken);
    if (answer == result::success) *at = {taken, row, extent.width, extent.height};
    return answer;
  });
}

cudaError_t cudaFree(void* at) {
  return answer_unsafe(call::cudaFree_, [&](device_session& now) {
    return give_back(now.all, now.lock, number(at));
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return answer_on_device(call::cudaMemGetInfo_, [&](device_session& now) {
    if (free == nullptr || total == nullptr) return result::invalid_value;
    *free = now.on.memory.free();
    *total = now.on.memory.capacity();
    return result::success;
  });
}
