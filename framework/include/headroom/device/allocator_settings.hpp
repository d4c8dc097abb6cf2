// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom {

/// Settings of the caching allocator, named and valued as in PYTORCH_ALLOC_CONF.
struct allocator_settings {
  /// max_split_size_mb: blocks of this size and above are not split, and serve only requests of
  /// this size and above. Absent: every block may be split.
  std::optional<bytes> max_split_size;
  /// max_non_split_rounding_mb: how much larger than the request a block that is not split may be.
  /// Absent: 20 MiB.
  std::optional<bytes> max_non_split_rounding;
  /// roundup_power2_divisions: into how many steps each power of two is divided when a request is
  /// rounded up. One entry each for sizes below 2 MiB, from 2 MiB, from 4 MiB ... from 32 GiB: each
  /// a power of two, or 0; 0 and 1 round to 512 bytes.
  std::array<std::uint64_t, 16> roundup_power2_divisions{};
  /// garbage_collection_threshold: above this share of what the allocator may hold, cached blocks
  /// that have not been reused for long are given back before more is taken. Acts only with
  /// per_process_memory_fraction. Absent: never.
  std::optional<double> garbage_collection_threshold;
  /// per_process_memory_fraction: the share of the device's capacity that the allocator may hold.
  /// Absent or
  /// 1: all that the driver gives.
  std::optional<double> per_process_memory_fraction;
  /// expandable_segments: segments are address ranges whose memory is added and taken away.
  bool expandable_segments = false;

  /// Each setting that is not at its default: name and value as written in PYTORCH_ALLOC_CONF.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> entries() const;
  friend bool operator==(const allocator_settings&, const allocator_settings&) = default;
};

/// Reads "NAME:VALUE,NAME:VALUE", as PYTORCH_ALLOC_CONF has it. Empty text gives the defaults.
/// @throws usage_error that names the setting, what was found and what to write
[[nodiscard]] allocator_settings parse_allocator_settings(std::string_view text);
/// As parse_allocator_settings, changing only what the text names; unchanged when it throws.
void update_allocator_settings(allocator_settings& settings, std::string_view text);

}  // namespace headroom
