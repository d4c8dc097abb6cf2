// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <compare>
#include <cstdint>

namespace headroom {

/// A count of bytes. Signed, so that a difference can be negative.
struct bytes {
  std::int64_t n = 0;

  friend constexpr auto operator<=>(const bytes&, const bytes&) = default;

  constexpr bytes& operator+=(bytes other) { return n += other.n, *this; }
  constexpr bytes& operator-=(bytes other) { return n -= other.n, *this; }
  friend constexpr bytes operator+(bytes a, bytes b) { return bytes{a.n + b.n}; }
  friend constexpr bytes operator-(bytes a, bytes b) { return bytes{a.n - b.n}; }
  friend constexpr bytes operator-(bytes a) { return bytes{-a.n}; }
  friend constexpr bytes operator*(bytes a, std::int64_t k) { return bytes{a.n * k}; }
  friend constexpr bytes operator*(std::int64_t k, bytes a) { return bytes{a.n * k}; }
};

/// The smallest multiple of `unit` that is not below `size`. @param unit above zero
constexpr bytes round_up(bytes size, bytes unit) {
  return bytes{(size.n + unit.n - 1) / unit.n * unit.n};
}

/// Sums and products that do not fit 64 bits are refused, never wrapped.
/// @return false when the result does not fit; `result` is then unspecified
constexpr bool checked_add(std::int64_t a, std::int64_t b, std::int64_t& result) {
  return !__builtin_add_overflow(a, b, &result);
}
constexpr bool checked_multiply(std::int64_t a, std::int64_t b, std::int64_t& result) {
  return !__builtin_mul_overflow(a, b, &result);
}

inline namespace literals {
// clang-format off
constexpr bytes operator""_B(unsigned long long n)   { return bytes{static_cast<std::int64_t>(n)}; }
constexpr bytes operator""_kB(unsigned long long n)  { return bytes{static_cast<std::int64_t>(n)} * 1'000; }
constexpr bytes operator""_MB(unsigned long long n)  { return bytes{static_cast<std::int64_t>(n)} * 1'000'000; }
constexpr bytes operator""_GB(unsigned long long n)  { return bytes{static_cast<std::int64_t>(n)} * 1'000'000'000; }
constexpr bytes operator""_TB(unsigned long long n)  { return bytes{static_cast<std::int64_t>(n)} * 1'000'000'000'000; }
constexpr bytes operator""_KiB(unsigned long long n) { return bytes{static_cast<std::int64_t>(n)} * (std::int64_t{1} << 10); }
constexpr bytes operator""_MiB(unsigned long long n) { return bytes{static_cast<std::int64_t>(n)} * (std::int64_t{1} << 20); }
constexpr bytes operator""_GiB(unsigned long long n) { return bytes{static_cast<std::int64_t>(n)} * (std::int64_t{1} << 30); }
constexpr bytes operator""_TiB(unsigned long long n) { return bytes{static_cast<std::int64_t>(n)} * (std::int64_t{1} << 40); }
// clang-format on
}  // namespace literals

}  // namespace headroom
