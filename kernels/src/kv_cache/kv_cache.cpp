// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include <headroom/core/error.hpp>
#include <headroom_kernels/kv_cache.hpp>

#include "strategies.hpp"

namespace headroom::kernels {

kv_rows part_of(const kv_rows& of, std::int64_t first, std::int64_t count) {
  const std::int64_t skipped = first * of.leading * size_of(of.type).n;
  return {static_cast<std::byte*>(of.keys) + skipped, static_cast<std::byte*>(of.values) + skipped,
          count, of.leading, of.type};
}

void kv_cache_bytes::add(const allocation& block) {
  requested += block.requested;
  rounded += round_up(block.requested, bytes{512});
  allocated += block.size;
}

kv_cache_request kv_cache_settings::request() const {
  kv_cache_request made;
  made.strategy = strategy;
  made.layers = layers;
  made.kv_heads = kv_heads;
  made.head_dim = head_dim;
  made.element_bytes = size_of(type).n;
  for (const std::int64_t each : lengths) made.sequences.push_back({1, each});
  made.capacity = capacity;
  made.window = window;
  made.block_tokens = block_tokens;
  made.blocks = blocks;
  made.shared_prefix = shared_prefix;
  return made;
}

kv_cache::kv_cache(device& on, stream_id stream, const kv_cache_settings& settings)
    : device_(on),
      stream_(stream),
      settings_(settings),
      counts_(static_cast<std::size_t>(settings.layers) * settings.lengths.size()),
      buffers_(on.buffers()) {}

void kv_cache::finish_copies() noexcept {
  if (buffers_->closed()) return;
  try {
    device_.synchronize(stream_);
  } catch (const std::exception& failed) {  // and fails again at the phase's end, if for good
    fmt::print(stderr, "headroom: {}\n", failed.what());
  }
}

void kv_cache::require_room(std::span<const std::int64_t> fresh) const {
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const auto sequence = static_cast<std::int64_t>(i);
    const std::int64_t there = tokens(settings_.layers - 1, sequence);
    const std::int64_t most =
        settings_.strategy == kv_cache_strategy::fixed ? settings_.capacity : settings_.lengths[i];
    if (fresh[i] <= most - there) continue;
    throw usage_error(fmt::format(
        "sequence {} has {} tokens in a {} cache that holds {} of it, and {} more are to come; "
        "give a larger capacity, or fewer tokens",
        i, there, name_of(settings_.strategy), most, fresh[i]));
  }
}

void kv_cache::share(std::int64_t /*from*/, std::int64_t /*to*/, std::int64_t /*tokens*/) {
  throw usage_error(fmt::format("a {} cache keeps each sequence's tokens apart; choose \"paged\"",
                                name_of(settings_.strategy)));
}

void kv_cache::forget(std::int64_t sequence) {
  for (std::int64_t layer = 0; layer < settings_.layers; ++layer) {
    counts_[index(layer, sequence)] = 0;
  }
}

std::unique_ptr<kv_cache> kv_cache::make(device& on, stream_id stream,
                                         const kv_cache_settings& settings) {
  static_cast<void>(estimate_kv_cache(settings.request()));  // refuses what cannot be
  switch (settings.strategy) {
    case kv_cache_strategy::growing:
      return make_growing_cache(on, stream, settings);
    case kv_cache_strategy::fixed:
      return make_fixed_cache(on, stream, settings);
    case kv_cache_strategy::sliding_window:
      return make_window_cache(on, stream, settings);
    case kv_cache_strategy::quantized:
      return make_quantized_cache(on, stream, settings);
    case kv_cache_strategy::offloaded:
      return make_offloaded_cache(on, stream, settings);
    case kv_cache_strategy::paged:
      return make_paged_cache(on, stream, settings);
  }
  return nullptr;
}

}  // namespace headroom::kernels
