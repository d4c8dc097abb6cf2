// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/launch.hpp>
#include <headroom_kernels/ops/fill.hpp>

#include "../dispatch.hpp"

namespace headroom::kernels {
namespace {

// A bijection of 64 bits in which each bit of the result depends on each bit of the input.
HEADROOM_HOST_DEVICE inline std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

HEADROOM_HOST_DEVICE inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t counter) {
  return scramble(scramble(seed) + counter * 0x9e3779b97f4a7c15U);
}

template <class T>
struct fill_uniform_kernel {
  T* y;
  std::uint64_t seed;
  float scale;
  std::int64_t first;

  HEADROOM_HOST_DEVICE void operator()(std::int64_t i) const {
    // 24 bits and powers of two: exact up to the last product, hence equal on every device.
    const auto upper =
        static_cast<std::int32_t>(random_bits(seed, static_cast<std::uint64_t>(first + i)) >> 40U);
    const float uniform = static_cast<float>(upper - (1 << 23)) * 0x1p-23F;
    y[i] = narrow<T>(uniform * scale);
  }
};

struct fill_classes_kernel {
  std::int32_t* y;
  std::uint64_t seed;
  std::uint64_t classes;

  HEADROOM_HOST_DEVICE void operator()(std::int64_t i) const {
    // The upper half of 32 bits times the number of classes: below it, without a division.
    const std::uint64_t bits = random_bits(seed, static_cast<std::uint64_t>(i)) >> 32U;
    y[i] = static_cast<std::int32_t>(bits * classes >> 32U);
  }
};

}  // namespace

void fill_uniform(device& on, stream_id stream, const tensor_view& y, std::uint64_t seed,
                  float scale, std::int64_t first) {
  with_element(y.type, [&]<class T>(T*) {
    launch_elements(on, stream, y.dims.elements(),
                    fill_uniform_kernel<T>{elements_of<T>(y), seed, scale, first});
  });
}

void fill_classes(device& on, stream_id stream, const class_view& y, std::uint64_t seed,
                  std::int64_t classes) {
  launch_elements(on, stream, y.count,
                  fill_classes_kernel{y.address, seed, static_cast<std::uint64_t>(classes)});
}

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t number) {
  return random_bits(seed, number + 1);
}

}  // namespace headroom::kernels
