// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>

#include "strategies.hpp"

namespace headroom::kernels {
namespace {

/// Memory for a number of rows of each sequence, taken when the cache is made.
class rows_taken_at_once : public kv_cache {
 public:
  [[nodiscard]] kv_rows read(std::int64_t layer, std::int64_t sequence, std::int64_t first,
                             std::int64_t count, kv_scratch& /*scratch*/) override {
    return rows_in(held_[index(layer, sequence)], settings_.width(), settings_.type, first, count);
  }
  [[nodiscard]] kv_cache_bytes held() const override {
    kv_cache_bytes sum;
    for (const kv_buffers& each : held_) each.add_to(sum);
    return sum;
  }

 protected:
  /// @param rows_of  rows of a sequence
  template <class RowsOf>
  rows_taken_at_once(device& on, stream_id stream, const kv_cache_settings& settings,
                     RowsOf rows_of)
      : kv_cache(on, stream, settings) {
    held_.reserve(counts_.size());
    for (std::int64_t layer = 0; layer < settings.layers; ++layer) {
      for (std::size_t i = 0; i < settings.lengths.size(); ++i) {
        const bytes size = rows_of(i) * settings.width() * size_of(settings.type);
        kv_buffers& own = held_.emplace_back();
        own.keys = buffer(on, size, tag::kv_cache, stream);
        own.values = buffer(on, size, tag::kv_cache, stream);
      }
    }
  }

  std::vector<kv_buffers> held_;  // by layer, then sequence
};

class fixed_cache final : public rows_taken_at_once {
 public:
  fixed_cache(device& on, stream_id stream, const kv_cache_settings& settings)
      : rows_taken_at_once(on, stream, settings, [&](std::size_t) { return settings.capacity; }) {}

  void append(std::int64_t layer, std::int64_t sequence, const kv_rows& fresh) override {
    std::int64_t& count = counts_[index(layer, sequence)];
    store_rows(device_, stream_, fresh, settings_.width(), held_[index(layer, sequence)], count);
    count += fresh.count;
  }
};

/// A ring of the last tokens: position p lies in row p modulo its size.
class window_cache final : public rows_taken_at_once {
 public:
  window_cache(device& on, stream_id stream, const kv_cache_settings& settings)
      : rows_taken_at_once(on, stream, settings,
                           [&](std::size_t i) { return rows_of(settings, i); }) {}

  void require_room(std::span<const std::int64_t> fresh) const override {
    kv_cache::require_room(fresh);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const std::int64_t there = tokens(settings_.layers - 1, static_cast<std::int64_t>(i));
      if (there == 0 || fresh[i] <= 1) continue;
      throw usage_error(fmt::format(
          "sequence {} has {} tokens in a sliding window and {} more are to come at once; a window "
          "takes a prompt as a whole, then token by token",
          i, there, fresh[i]));
    }
  }

  void append(std::int64_t layer, std::int64_t sequence, const kv_rows& fresh) override {
    std::int64_t& count = counts_[index(layer, sequence)];
    const std::int64_t ring = rows_of(settings_, static_cast<std::size_t>(sequence));
    const std::int64_t behind = count + fresh.count;
    // The tokens before the last `ring` ones would be overwritten at once.
    for (std::int64_t at = std::max(count, behind - ring); at < behind;) {
      const std::int64_t run = std::min(behind - at, ring - at % ring);
      store_rows(device_, stream_, part_of(fresh, at - count, run), settings_.width(),
                 held_[index(layer, sequence)], at % ring);
      at += run;
    }
    count = behind;
  }

  [[nodiscard]] std::int64_t retained(std::int64_t layer, std::int64_t sequence) const override {
    return std::min(tokens(layer, sequence),
                    rows_of(settings_, static_cast<std::size_t>(sequence)));
  }

 private:
  static std::int64_t rows_of(const kv_cache_settings& settings, std::size_t sequence) {
    return std::min(settings.window, settings.lengths[sequence]);
  }
};

}  // namespace

std::unique_ptr<kv_cache> make_fixed_cache(device& on, stream_id stream,
                                           const kv_cache_settings& settings) {
  return std::make_unique<fixed_cache>(on, stream, settings);
}

std::unique_ptr<kv_cache> make_window_cache(device& on, stream_id stream,
                                            const kv_cache_settings& settings) {
  return std::make_unique<window_cache>(on, stream, settings);
}

}  // namespace headroom::kernels
