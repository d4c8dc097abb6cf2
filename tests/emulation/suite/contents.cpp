// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

namespace headroom::test {
namespace {

template <class T>
std::vector<T> elements(const std::vector<std::byte>& contents) {
  std::vector<T> made(contents.size() / sizeof(T));
  std::memcpy(made.data(), contents.data(), made.size() * sizeof(T));
  return made;
}

float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
float float_of(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

/// An integer below 2^23, read as a float, is not even a normal number.
bool is_calculated(float value) { return value == 0.0F || std::isnormal(value); }

/// Whether words hold two bfloat16 each. The lower halves of float32 are noise, of which few would
/// be numbers of a usual size as bfloat16. Nothing where there is too little to tell.
std::optional<bool> holds_bfloat16(std::span<const std::uint32_t> words) {
  std::size_t usual = 0;
  std::size_t halves = 0;
  for (const std::uint32_t word : words) {
    const auto half = static_cast<std::uint16_t>(word & 0xffffu);
    if (half == 0 || word == UINT32_MAX) continue;
    ++halves;
    const float lower = std::fabs(float_of(half));
    if (lower > 1e-12F && lower < 1e4F) ++usual;
  }
  constexpr std::size_t fewest = 8;
  if (halves < fewest) return std::nullopt;
  return usual * 10 > halves * 6;
}

/// Adds up how far two blocks are apart.
class distance {
 public:
  /// @return whether they are both calculated with, or equal to the bit
  template <class Bits>
  bool add(Bits expected, Bits found) {
    const float x = float_of(expected);
    const float y = float_of(found);
    if (!is_calculated(x) || !std::isfinite(y)) return expected == found;
    const double apart = std::fabs(double{x} - double{y});
    squares_ += double{x} * double{x};
    squared_ += apart * apart;
    largest_ = std::max(largest_, std::fabs(double{x}));
    if (apart > worst_) {
      worst_ = apart;
      words_ = fmt::format("{} expected, {} found", x, y);
    }
    return true;
  }
  [[nodiscard]] bool within(const tolerance& allowed) const {
    return squared_ <= allowed.norm * allowed.norm * squares_ &&
           worst_ <= allowed.largest * largest_;
  }
  [[nodiscard]] std::string text(const tolerance& allowed) const {
    return fmt::format(
        "{}; the difference's norm is {:.2g} of what was expected, {} allowed; the largest is "
        "{:.2g} of the largest, {} allowed",
        words_, std::sqrt(squared_ / squares_), allowed.norm, worst_ / largest_, allowed.largest);
  }

 private:
  double squares_ = 0;
  double squared_ = 0;
  double largest_ = 0;
  double worst_ = 0;
  std::string words_;
};

std::string compare(const kept_block& expected, const kept_block& found, const tolerance& allowed) {
  const std::vector<std::uint32_t> a = elements<std::uint32_t>(expected.contents);
  const std::vector<std::uint32_t> b = elements<std::uint32_t>(found.contents);
  distance apart;
  // A block of working memory can hold one type behind the other.
  constexpr std::size_t piece = 32;
  bool halves = allowed.bfloat16 && holds_bfloat16(a).value_or(false);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i % piece == 0 && allowed.bfloat16) {
      halves =
          holds_bfloat16(std::span(a).subspan(i, std::min(piece, a.size() - i))).value_or(halves);
    }
    const auto half = [](std::uint32_t word, unsigned shift) {
      return static_cast<std::uint16_t>(word >> shift & 0xffffu);
    };
    // In a row of few numbers that are not zero, a lower half alone is one of bfloat16.
    const bool lone = allowed.bfloat16 && half(a[i], 16) == 0 && half(b[i], 16) == 0;
    const bool alike = halves || lone ? apart.add(half(a[i], 0), half(b[i], 0)) &&
                                            apart.add(half(a[i], 16), half(b[i], 16))
                                      : apart.add(a[i], b[i]);
    if (!alike) {
      return fmt::format("{}: word {}: {:#x} expected, {:#x} found", expected.where, i, a[i], b[i]);
    }
  }
  return apart.within(allowed) ? "" : fmt::format("{}: {}", expected.where, apart.text(allowed));
}

/// Values that lay between two integers, and were rounded to the one or to the other.
bool rounded_alike(const kept_block& expected, const kept_block& found) {
  const auto a = elements<std::int8_t>(expected.contents);
  const auto b = elements<std::int8_t>(found.contents);
  std::size_t apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > 1) return false;
    if (a[i] != b[i]) ++apart;
  }
  return apart * 100 <= a.size();
}

}  // namespace

tolerance::tolerance(const workload_description& what)
    : bfloat16(what.dtype == "bfloat16"),
      rounded_to_int8(what.find_option("cache") == "quantized") {
  if (!bfloat16) return;
  norm = 2e-2;
  largest = 1e-1;
}

std::string difference(const kept_block& expected, const kept_block& found,
                       const tolerance& allowed) {
  if (expected.where != found.where || expected.contents.size() != found.contents.size()) {
    return fmt::format("{} of {} B expected, {} of {} B found", expected.where,
                       expected.contents.size(), found.where, found.contents.size());
  }
  if (expected.contents == found.contents) return "";
  if (allowed.rounded_to_int8 && rounded_alike(expected, found)) return "";
  return compare(expected, found, allowed);
}

}  // namespace headroom::test
