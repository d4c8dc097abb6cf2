// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

/// What parse_size made of a text: a value, or what was found and what to write instead.
struct size_result {
  std::optional<bytes> value;
  std::string found;   ///< empty when there is a value
  std::string advice;  ///< empty when there is a value
};

/// Reads `NUMBER UNIT`, for example "4 GiB" or "22.5GB", with at most one space between them.
/// Units: B, kB, MB, GB, TB (powers of 1000) and KiB, MiB, GiB, TiB (powers of 1024), spelled
/// exactly so. Decimal fractions are exact, rounded to the nearest byte (a half goes up). Nothing
/// else is accepted: no sign, exponent, NaN or bare number, nothing above 2^63 - 1 B, and nothing
/// above zero that would round to zero.
[[nodiscard]] size_result parse_size(std::string_view text);

/// As parse_size. @throws usage_error that names the text, what is wrong and what to write
[[nodiscard]] bytes size_from_text(std::string_view text);

/// "6442450944 B"
[[nodiscard]] std::string format_bytes(bytes size);
/// Two decimals, rounded half up: "6.00 GiB"; below 1 KiB the bytes, "512 B". The unit is the
/// largest of which there is at least one after rounding: never "1024.00 KiB". A negative size is
/// written as its magnitude behind a minus.
[[nodiscard]] std::string format_binary(bytes size);
/// As format_binary with powers of 1000: "24.00 GB".
[[nodiscard]] std::string format_decimal(bytes size);
/// Rounded and exact, always both: "6.00 GiB (6442450944 B)"; below 1 KiB just "512 B".
[[nodiscard]] std::string format_exact(bytes size);
/// A size as budget files have it: in the largest binary unit that says it exactly, "60 MiB", and
/// else in bytes, "27279360 B".
[[nodiscard]] std::string size_literal(bytes size);
/// In one given unit ("GiB", "GB", ...), two decimals, rounded half up, no unit in the text:
/// "13.04"; for "B" the whole number. A negative size keeps its minus, "-0.00" included: it is not
/// zero. @throws usage_error when there is no such unit
[[nodiscard]] std::string format_in_unit(bytes size, std::string_view unit);

}  // namespace headroom
