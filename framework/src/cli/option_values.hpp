// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <filesystem>
#include <headroom/core/bytes.hpp>
#include <headroom/device/allocator_choice.hpp>
#include <headroom/series/open_device.hpp>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace headroom::cli {

// Values of options. Each throws usage_error with the option's name, what was found and what to
// write instead.

inline constexpr std::int64_t largest_number = std::numeric_limits<std::int64_t>::max();

/// Digits alone, within both borders.
[[nodiscard]] std::int64_t whole_number(std::string_view option, std::string_view text,
                                        std::int64_t lowest, std::int64_t highest = largest_number);
/// As whole_number, for small counts.
[[nodiscard]] int small_number(std::string_view option, std::string_view text, int lowest,
                               int highest = 1'000'000);
/// The whole range of 64 bits.
[[nodiscard]] std::uint64_t seed_number(std::string_view option, std::string_view text);
/// A size with its unit: "4 GiB".
[[nodiscard]] bytes size_option(std::string_view option, std::string_view text);
/// One of some names.
[[nodiscard]] std::string one_of(std::string_view option, std::string_view text,
                                 std::span<const std::string> names);
[[nodiscard]] device_request device_option(std::string_view option, std::string_view text);
[[nodiscard]] allocator_choice allocator_option(std::string_view option, std::string_view text);

/// Refuses a file that is to be written and is there, or is a folder. @throws output_error
void refuse_existing(const std::filesystem::path& file);

/// "--learning-rate" of "learning_rate"
[[nodiscard]] std::string option_name(std::string_view name);

}  // namespace headroom::cli
