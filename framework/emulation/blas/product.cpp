// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "product.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace headroom::emulation::blas {
namespace {

// Pieces of the matrices that fit a second-level cache together.
constexpr std::int64_t piece = 256;

float widen(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

/// To the nearest bfloat16, ties to even.
std::uint16_t narrow(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

float load(const matrix& from, std::int64_t at) {
  if (from.type == element::float32) return reinterpret_cast<const float*>(from.at)[at];
  return widen(reinterpret_cast<const std::uint16_t*>(from.at)[at]);
}
void store(const matrix& to, std::int64_t at, float value) {
  if (to.type == element::float32) {
    reinterpret_cast<float*>(to.at)[at] = value;
  } else {
    reinterpret_cast<std::uint16_t*>(to.at)[at] = narrow(value);
  }
}

/// Rows and columns of op(m) from (row, column) on, column-major and without gaps.
void pack(const matrix& from, bool transposed, std::int64_t offset, std::int64_t row,
          std::int64_t rows, std::int64_t column, std::int64_t columns, float* into) {
  const std::int64_t down = transposed ? from.leading : 1;
  const std::int64_t across = transposed ? 1 : from.leading;
  for (std::int64_t j = 0; j < columns; ++j) {
    const std::int64_t first = offset + row * down + (column + j) * across;
    for (std::int64_t i = 0; i < rows; ++i) into[j * rows + i] = load(from, first + i * down);
  }
}

/// sums [rows, columns] += a [rows, depth] b [depth, columns], all without gaps
void add_products(std::int64_t rows, std::int64_t columns, std::int64_t depth, const float* a,
                  const float* b, float* sums) {
  for (std::int64_t j = 0; j < columns; ++j) {
    float* const into = sums + j * rows;
    for (std::int64_t p = 0; p < depth; ++p) {
      const float factor = b[j * depth + p];
      const float* const column = a + p * rows;
      for (std::int64_t i = 0; i < rows; ++i) into[i] += column[i] * factor;
    }
  }
}

struct scratch {
  std::vector<float> a = std::vector<float>(piece * piece);
  std::vector<float> b = a;
  std::vector<float> sums = a;
};

void multiply_piece(const product& what, std::int64_t entry, std::int64_t row, std::int64_t column,
                    scratch& room) {
  const std::int64_t rows = std::min(piece, what.c.rows - row);
  const std::int64_t columns = std::min(piece, what.c.columns - column);
  std::fill(room.sums.begin(), room.sums.end(), 0.0F);
  for (std::int64_t first = 0; first < what.k && what.alpha != 0.0F; first += piece) {
    const std::int64_t depth = std::min(piece, what.k - first);
    pack(what.a, what.transpose_a, entry * what.a.stride, row, rows, first, depth, room.a.data());
    pack(what.b, what.transpose_b, entry * what.b.stride, first, depth, column, columns,
         room.b.data());
    add_products(rows, columns, depth, room.a.data(), room.b.data(), room.sums.data());
  }
  for (std::int64_t j = 0; j < columns; ++j) {
    const std::int64_t at = entry * what.c.stride + (column + j) * what.c.leading + row;
    for (std::int64_t i = 0; i < rows; ++i) {
      float value = what.alpha * room.sums[static_cast<std::size_t>(j * rows + i)];
      if (what.beta != 0.0F) value += what.beta * load(what.c, at + i);
      store(what.c, at + i, value);
    }
  }
}

}  // namespace

void multiply(const product& what) {
  scratch room;
  for (std::int64_t entry = 0; entry < what.count; ++entry) {
    for (std::int64_t column = 0; column < what.c.columns; column += piece) {
      for (std::int64_t row = 0; row < what.c.rows; row += piece) {
        multiply_piece(what, entry, row, column, room);
      }
    }
  }
}

}  // namespace headroom::emulation::blas
