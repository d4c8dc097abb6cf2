// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <headroom/core/bytes.hpp>
#include <headroom/core/new_file.hpp>
#include <headroom/core/tag.hpp>
#include <headroom/device/allocator.hpp>
#include <headroom/device/stream.hpp>
#include <string_view>

namespace headroom {

/// Writes what is asked of an allocator as a trace (docs/trace-format.md), for `headroom replay`.
/// A block's number is its address, so that nothing has to be remembered; a request that failed has
/// an odd number of its own. Not thread-safe.
class event_log {
 public:
  /// @param of       whose settings the replay starts with
  /// @throws output_error when the file exists or cannot be written
  event_log(const std::filesystem::path& file, bytes capacity, const allocator_description& of);
  /// The file has its name only from here on. What went wrong is said on standard error: there is
  /// then no file.
  ~event_log();
  event_log(const event_log&) = delete;
  event_log& operator=(const event_log&) = delete;

  void allocated(const allocation& block, stream_id stream, tag what) noexcept;
  void refused(bytes requested, stream_id stream, tag what) noexcept;
  void freed(const allocation& block) noexcept;
  void used(const allocation& block, stream_id stream) noexcept;
  void completed(stream_id stream) noexcept;
  void emptied_cache() noexcept;
  void reset_peaks() noexcept;

 private:
  static constexpr std::size_t buffer_size = std::size_t{64} * 1024;
  static constexpr std::size_t longest_line = 128;

  class line;
  void flush() noexcept;

  new_file file_;
  std::array<char, buffer_size> buffer_;
  std::size_t filled_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace headroom
