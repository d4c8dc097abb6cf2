// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>

#include "size_unit.hpp"

namespace headroom {
namespace {

using detail::size_unit;

std::string_view take_digits(std::string_view& rest) {
  std::size_t count = 0;
  while (count < rest.size() && rest[count] >= '0' && rest[count] <= '9') ++count;
  const std::string_view digits = rest.substr(0, count);
  rest.remove_prefix(count);
  return digits;
}

struct size_parts {
  std::string_view whole;
  std::string_view fraction;
  const size_unit* unit;
};

std::optional<size_parts> split(std::string_view text) {
  size_parts parts{};
  parts.whole = take_digits(text);
  if (parts.whole.empty()) return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    parts.fraction = take_digits(text);
    if (parts.fraction.empty()) return std::nullopt;
  }
  if (text.starts_with(' ')) text.remove_prefix(1);
  parts.unit = detail::find_unit(text);
  if (parts.unit == nullptr) return std::nullopt;
  return parts;
}

/// floor(2 x 0.fraction x unit). Exact for any number of digits: floors of nested divisions by ten
/// are the floor of the whole.
std::int64_t doubled_fraction(std::string_view fraction, std::int64_t unit) {
  std::int64_t value = 0;
  for (std::size_t i = fraction.size(); i > 0; --i) {
    value = ((fraction[i - 1] - '0') * 2 * unit + value) / 10;
  }
  return value;
}

std::optional<std::int64_t> byte_count(const size_parts& parts) {
  std::int64_t whole = 0;
  for (const char digit : parts.whole) {
    if (!checked_multiply(whole, 10, whole) || !checked_add(whole, digit - '0', whole)) {
      return std::nullopt;
    }
  }
  const std::int64_t fraction = (doubled_fraction(parts.fraction, parts.unit->bytes) + 1) / 2;
  std::int64_t total = 0;
  if (!checked_multiply(whole, parts.unit->bytes, total) || !checked_add(total, fraction, total)) {
    return std::nullopt;
  }
  return total;
}

bool is_zero(const size_parts& parts) {
  constexpr auto not_zero = std::string_view::npos;
  return parts.whole.find_first_not_of('0') == not_zero &&
         parts.fraction.find_first_not_of('0') == not_zero;
}

std::uint64_t magnitude(bytes size) {
  const auto n = static_cast<std::uint64_t>(size.n);
  return size.n < 0 ? 0 - n : n;  // unsigned, so that the lowest value has one too
}

/// A count in some unit, rounded half up to hundredths.
struct rounded_count {
  std::uint64_t whole;
  std::uint64_t hundredths;
};

rounded_count rounded(std::uint64_t count, std::uint64_t unit) {
  const std::uint64_t hundredths = (count % unit * 200 + unit) / (2 * unit);
  return {count / unit + hundredths / 100, hundredths % 100};
}

std::string with_two_decimals(bytes size, std::int64_t unit) {
  const rounded_count count = rounded(magnitude(size), static_cast<std::uint64_t>(unit));
  return fmt::format("{}{}.{:02}", size.n < 0 ? "-" : "", count.whole, count.hundredths);
}

/// The unit is chosen after rounding, so that no text says "1024.00 KiB".
std::string format_in_family(bytes size, const std::array<size_unit, 5>& family) {
  const auto unit_of = [&](std::size_t i) { return static_cast<std::uint64_t>(family[i].bytes); };
  const std::uint64_t base = unit_of(1);
  const std::uint64_t count = magnitude(size);
  if (count < base) return format_bytes(size);
  std::size_t chosen = 1;
  while (chosen + 1 < family.size() && rounded(count, unit_of(chosen)).whole >= base) ++chosen;
  return fmt::format("{} {}", with_two_decimals(size, family[chosen].bytes), family[chosen].name);
}

bool vanishes(const size_parts& parts, std::int64_t count) { return count == 0 && !is_zero(parts); }

}  // namespace

bool detail::is_size(std::string_view text) {
  const auto parts = split(text);
  const auto count = parts ? byte_count(*parts) : std::nullopt;
  return count && !vanishes(*parts, *count);
}

size_result parse_size(std::string_view text) {
  const auto parts = split(text);
  if (!parts) return detail::explain_bad_size(text);
  const auto count = byte_count(*parts);
  if (!count) {
    return {std::nullopt, fmt::format("size {} is above 9223372036854775807 B", quoted_text(text)),
            "write a smaller size"};
  }
  if (vanishes(*parts, *count)) {
    return {std::nullopt, fmt::format("size {} is less than half a byte", quoted_text(text)),
            "write \"0 B\" or \"1 B\""};
  }
  return {bytes{*count}, {}, {}};
}

bytes size_from_text(std::string_view text) {
  const size_result result = parse_size(text);
  if (result.value) return *result.value;
  throw usage_error(fmt::format("size {}: {}; {}", quoted_text(text), result.found, result.advice));
}

std::string format_bytes(bytes size) { return fmt::format("{} B", size.n); }

std::string format_binary(bytes size) { return format_in_family(size, detail::binary_units); }

std::string format_decimal(bytes size) { return format_in_family(size, detail::decimal_units); }

std::string format_exact(bytes size) {
  const std::string rounded = format_binary(size);
  const std::string exact = format_bytes(size);
  return rounded == exact ? exact : fmt::format("{} ({})", rounded, exact);
}

std::string size_literal(bytes size) {
  for (std::size_t i = detail::binary_units.size(); i > 0; --i) {
    const size_unit& unit = detail::binary_units[i - 1];
    if (size.n != 0 && size.n % unit.bytes == 0) {
      return fmt::format("{} {}", size.n / unit.bytes, unit.name);
    }
  }
  return format_bytes(size);
}

std::string format_in_unit(bytes size, std::string_view unit) {
  const size_unit* known = detail::find_unit(unit);
  if (known == nullptr) {
    throw usage_error(fmt::format(
        "unknown unit {}; write one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB", quoted_text(unit)));
  }
  if (known->bytes == 1) return fmt::format("{}", size.n);
  return with_two_decimals(size, known->bytes);
}

}  // namespace headroom
