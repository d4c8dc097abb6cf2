// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/device/allocator_settings.hpp>
#include <headroom/device/rehearsal.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace headroom {

enum class allocator_kind {
  caching,    ///< headroom's caching allocator
  plain,      ///< each request goes to the driver; nothing is cached
  cuda_async  ///< the driver's stream-ordered pool; cuda devices only
};
/// "caching", "plain", "cuda-async"
[[nodiscard]] std::string_view name_of(allocator_kind kind);

/// Which allocator a device gets, and what it refuses for a rehearsal.
struct allocator_choice {
  allocator_kind kind = allocator_kind::caching;
  allocator_settings settings;      ///< of the caching allocator
  rehearsal_plan rehearsed;         ///< empty: nothing is refused but by the driver
  std::filesystem::path event_log;  ///< a trace of what is asked of it; empty: none is written

  allocator_choice() = default;
  /// The caching allocator with these settings.
  allocator_choice(allocator_settings of_caching) : settings(std::move(of_caching)) {}  // NOLINT
  friend bool operator==(const allocator_choice&, const allocator_choice&) = default;
};

/// Reads "caching", "plain", "cuda-async", or settings of the caching allocator as
/// PYTORCH_ALLOC_CONF has them ("max_split_size_mb:128"). Empty text gives the caching allocator
/// with its defaults.
/// @throws usage_error that names what was found and what to write
[[nodiscard]] allocator_choice parse_allocator_choice(std::string_view text);

}  // namespace headroom
