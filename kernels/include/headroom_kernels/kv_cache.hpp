// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/buffer.hpp>
#include <headroom_kernels/kv_cache_settings.hpp>
#include <headroom_kernels/tensor.hpp>
#include <memory>
#include <span>
#include <vector>

namespace headroom::kernels {

/// Keys and values of consecutive tokens in one layer, in memory that somebody else owns.
struct kv_rows {
  void* keys = nullptr;    ///< of the first token: [count, kv_heads x head_dim], `leading` apart
  void* values = nullptr;  ///< likewise
  std::int64_t count = 0;
  std::int64_t leading = 0;  ///< elements from one token to the next
  dtype type = dtype::float32;
};
/// The rows from `first` on. @param first, count  within `of`
[[nodiscard]] kv_rows part_of(const kv_rows& of, std::int64_t first, std::int64_t count);

/// Where a cache puts rows together that it does not hold side by side: tag `workspace`. Made by
/// the cache at need, and made anew where one is too small.
struct kv_scratch {
  tensor keys;
  tensor values;
};

/// Bytes of a cache at one moment.
struct kv_cache_bytes {
  bytes requested;  ///< on the device, as asked for
  bytes rounded;    ///< likewise, each tensor rounded up to 512 B
  bytes allocated;  ///< on the device, as the allocator counts them: tag `kv_cache`. Above
                    ///< `rounded` where it hands out a block with a rest too small to split off
  bytes host;       ///< in host memory, which no device counts

  void add(const allocation& block);
};

/// Keys and values of the tokens behind a decoder, for several sequences of any length.
/// A step appends to layer 0 for every sequence, then to layer 1, and so on.
class kv_cache {
 public:
  /// @param on  must outlive the cache
  /// @throws usage_error as estimate_kv_cache; out_of_memory
  [[nodiscard]] static std::unique_ptr<kv_cache> make(device& on, stream_id stream,
                                                      const kv_cache_settings& settings);
  virtual ~kv_cache() = default;
  kv_cache(const kv_cache&) = delete;
  kv_cache& operator=(const kv_cache&) = delete;

  /// Refuses a step that the cache cannot take, before anything of it runs.
  /// @param fresh  tokens to come, for each sequence
  /// @throws usage_error that says what there is room for; the cache is unchanged
  virtual void require_room(std::span<const std::int64_t> fresh) const;

  /// Queues the storing of tokens behind those that are there.
  /// @param fresh  of the cache's type and width
  /// @throws out_of_memory; the step is incomplete then, and the cache is to be ended
  virtual void append(std::int64_t layer, std::int64_t sequence, const kv_rows& fresh) = 0;

  /// A sequence without tokens begins with those of another: they are held once, and what is shared
  /// is copied only where one of the two goes on. Between steps; a paged cache alone does it.
  /// @param tokens  1 or more, no more than `from` has
  /// @throws usage_error that says what cannot be; the cache is unchanged
  virtual void share(std::int64_t from, std::int64_t to, std::int64_t tokens);

  /// Rows [first, first + count) of those that a layer retains for a sequence, as float32 or
  /// bfloat16, valid until the cache or the scratch changes. In the order of their positions, but
  /// for a window that has dropped some: there the order is that of the ring.
  /// @throws out_of_memory for the scratch
  [[nodiscard]] virtual kv_rows read(std::int64_t layer, std::int64_t sequence, std::int64_t first,
                                     std::int64_t count, kv_scratch& scratch) = 0;

  /// Tokens that came so far, and how many of them a layer retains.
  [[nodiscard]] std::int64_t tokens(std::int64_t layer, std::int64_t sequence) const {
    return counts_[index(layer, sequence)];
  }
  [[nodiscard]] virtual std::int64_t retained(std::int64_t layer, std::int64_t sequence) const {
    return tokens(layer, sequence);
  }
  [[nodiscard]] virtual kv_cache_bytes held() const = 0;

  /// Ends a sequence: its tokens are gone, and its memory is given back or free for others.
  virtual void forget(std::int64_t sequence);
  [[nodiscard]] const kv_cache_settings& settings() const { return settings_; }

 protected:
  kv_cache(device& on, stream_id stream, const kv_cache_settings& settings);
  /// For the end of a cache whose host memory is being copied. A device that failed, or that ended
  /// before, has no copy under way any more.
  void finish_copies() noexcept;
  [[nodiscard]] std::size_t index(std::int64_t layer, std::int64_t sequence) const {
    return static_cast<std::size_t>(layer) * settings_.lengths.size() +
           static_cast<std::size_t>(sequence);
  }

  device& device_;
  stream_id stream_;
  kv_cache_settings settings_;
  std::vector<std::int64_t> counts_;  // tokens by layer, then sequence

 private:
  std::shared_ptr<buffer_account> buffers_;
};

}  // namespace headroom::kernels
