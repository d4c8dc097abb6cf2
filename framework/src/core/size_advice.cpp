// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/quoted_text.hpp>

#include "characters.hpp"
#include "size_unit.hpp"

namespace headroom::detail {
namespace {

constexpr std::string_view all_units = "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB";

template <class Predicate>
std::string_view take(std::string_view& rest, Predicate belongs) {
  std::size_t count = 0;
  while (count < rest.size() && belongs(rest[count])) ++count;
  const std::string_view taken = rest.substr(0, count);
  rest.remove_prefix(count);
  return taken;
}

size_result fault(std::string found, std::string advice) {
  return {std::nullopt, std::move(found), std::move(advice)};
}

constexpr std::string_view example = "write a number and a unit, for example \"4 GiB\"";

size_result not_a_size(std::string_view text) {
  return fault(fmt::format("{} is not a size", quoted_text(text)), std::string(example));
}

/// Advice to write the mended text, where that would be accepted.
std::string write(std::string_view mended) {
  return is_size(mended) ? fmt::format("write {}", quoted_text(mended)) : std::string(example);
}

std::string both_families(std::size_t step) {
  const size_unit& decimal = decimal_units[step];
  const size_unit& binary = binary_units[step];
  return fmt::format("write \"{}\" ({}) or \"{}\" ({})", decimal.name, decimal.power, binary.name,
                     binary.power);
}

/// What to write in place of a unit that is not one of ours.
std::string unit_advice(std::string_view unit) {
  const std::string name = lower(unit);
  if (name == "b" || name == "byte" || name == "bytes" || name == "bit" || name == "bits") {
    return "write \"B\" (bytes)";
  }
  constexpr std::string_view prefixes = "kmgt";
  constexpr std::string_view words[] = {"kilo", "mega", "giga", "tera"};
  constexpr std::string_view binary_words[] = {"kibi", "mebi", "gibi", "tebi"};
  for (std::size_t step = 1; step < decimal_units.size(); ++step) {
    const char prefix = prefixes[step - 1];
    if (name == std::string{prefix, 'i'} || name == std::string{prefix, 'i', 'b'} ||
        name.starts_with(binary_words[step - 1])) {
      return fmt::format("write \"{}\" ({})", binary_units[step].name, binary_units[step].power);
    }
    if (name == std::string{prefix} || name == std::string{prefix, 'b'} ||
        name.starts_with(words[step - 1])) {
      return both_families(step);
    }
  }
  if (name == "p" || name == "pb" || name == "e" || name == "eb") return "write it in \"TB\"";
  if (name == "pi" || name == "pib" || name == "ei" || name == "eib") return "write it in \"TiB\"";
  return fmt::format("write one of {}", all_units);
}

size_result explain_sign(std::string_view text) {
  if (text[0] == '-') {
    return fault(fmt::format("negative size {}", quoted_text(text)),
                 "write a size of \"0 B\" or more");
  }
  return fault(fmt::format("sign in {}", quoted_text(text)), write(text.substr(1)));
}

/// @param rest what follows the first digits of `text`; starts with a separator
size_result explain_separator(std::string_view text, std::string_view whole,
                              std::string_view rest) {
  std::string joined(whole);
  std::string_view last_group;
  std::size_t groups = 0;
  while (rest.size() > 1 && std::string_view(",_' ").find(rest[0]) != std::string_view::npos &&
         is_digit(rest[1])) {
    rest.remove_prefix(1);
    last_group = take(rest, is_digit);
    joined += last_group;
    ++groups;
  }
  const std::string grouped = joined + std::string(rest);
  const bool comma = text[whole.size()] == ',' && groups == 1;
  const std::string fraction = fmt::format("{}.{}{}", whole, last_group, rest);
  if (comma && last_group.size() != 3) {
    return fault(fmt::format("decimal comma in {}", quoted_text(text)), write(fraction));
  }
  std::string advice = write(grouped);
  if (comma && is_size(fraction))
    advice += fmt::format(", or {} if a fraction is meant", quoted_text(fraction));
  return fault(fmt::format("separator between digits in {}", quoted_text(text)), std::move(advice));
}

/// The number is well formed; what is wrong stands behind it.
size_result explain_unit(std::string_view text, std::string_view number, std::string_view rest) {
  const std::string_view spaces = take(rest, [](char c) { return c == ' ' || c == '\t'; });
  if (rest.empty()) {
    return fault(fmt::format("no unit in {}", quoted_text(text)),
                 fmt::format("write {} for bytes, or a unit of {}",
                             quoted_text(std::string(number) + " B"), all_units));
  }
  const std::string_view unit = take(rest, is_letter);
  if (unit.empty()) return not_a_size(text);
  if (find_unit(unit) == nullptr) {
    return fault(fmt::format("unknown unit {}", quoted_text(std::string(unit) + std::string(rest))),
                 unit_advice(unit));
  }
  const std::string mended = fmt::format("{} {}", number, unit);
  if (!rest.empty()) {
    return fault(fmt::format("text behind the unit in {}", quoted_text(text)), write(mended));
  }
  return fault(fmt::format("{} between number and unit in {}",
                           spaces.find('\t') == std::string_view::npos ? "several spaces" : "a tab",
                           quoted_text(text)),
               write(mended));
}

}  // namespace

size_result explain_bad_size(std::string_view text) {
  if (text.empty()) return fault("empty text", std::string(example));
  if (std::string_view(" \t\r\n").find(text[0]) != std::string_view::npos) {
    return fault(fmt::format("space before the number in {}", quoted_text(text)),
                 "start with the number");
  }
  if (text[0] == '-' || text[0] == '+') return explain_sign(text);
  for (const std::string_view word : {"nan", "inf", "unlimited", "none", "max"}) {
    if (lower(text.substr(0, word.size())) == word) {
      return fault(fmt::format("{} is not a number of bytes", quoted_text(text)),
                   std::string(example));
    }
  }
  std::string_view rest = text;
  const std::string_view whole = take(rest, is_digit);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::string_view fraction = take(rest, is_digit);
    if (whole.empty() && fraction.empty()) return not_a_size(text);
    if (whole.empty()) {
      return fault(fmt::format("no digit before the point in {}", quoted_text(text)),
                   write(fmt::format("0{}", text)));
    }
    if (fraction.empty()) {
      return fault(fmt::format("no digit behind the point in {}", quoted_text(text)),
                   write(std::string(whole) + std::string(rest)));
    }
  }
  const std::string_view number = text.substr(0, text.size() - rest.size());
  if (number.empty()) return not_a_size(text);
  const auto starts_digits = [](std::string_view part) {
    return !part.empty() && is_digit(part[0]);
  };
  if (number == whole && rest.size() > 1 &&
      std::string_view(",_' ").find(rest[0]) != std::string_view::npos &&
      starts_digits(rest.substr(1))) {
    return explain_separator(text, number, rest);
  }
  if (rest.size() > 1 && (rest[0] == 'e' || rest[0] == 'E') &&
      (starts_digits(rest.substr(1)) ||
       ((rest[1] == '-' || rest[1] == '+') && starts_digits(rest.substr(2))))) {
    return fault(fmt::format("exponent in {}", quoted_text(text)), "write all digits and a unit");
  }
  if (number == "0" && (rest.starts_with('x') || rest.starts_with('X'))) {
    return fault(fmt::format("hexadecimal number in {}", quoted_text(text)),
                 "write a decimal number and a unit");
  }
  return explain_unit(text, number, rest);
}

}  // namespace headroom::detail
