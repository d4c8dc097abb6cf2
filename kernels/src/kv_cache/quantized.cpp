// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/quantize.hpp>

#include "strategies.hpp"

namespace headroom::kernels {
namespace {

/// Keys and values in int8 with a float32 scale for each token and head, in tensors as long as
/// their sequence. Read, they are put into the scratch in the cache's type.
class quantized_cache final : public kv_cache {
 public:
  quantized_cache(device& on, stream_id stream, const kv_cache_settings& settings)
      : kv_cache(on, stream, settings), numbers_(counts_.size()), scales_(counts_.size()) {}

  void append(std::int64_t layer, std::int64_t sequence, const kv_rows& fresh) override {
    const std::size_t at = index(layer, sequence);
    const std::int64_t there = counts_[at];
    grow(numbers_[at].keys, scales_[at].keys, there, fresh.keys, fresh);
    grow(numbers_[at].values, scales_[at].values, there, fresh.values, fresh);
    counts_[at] = there + fresh.count;
  }

  [[nodiscard]] kv_rows read(std::int64_t layer, std::int64_t sequence, std::int64_t first,
                             std::int64_t count, kv_scratch& scratch) override {
    const std::size_t at = index(layer, sequence);
    const kv_rows made =
        reserve(scratch, device_, stream_, count, settings_.width(), settings_.type);
    const auto widened = [&](const buffer& numbers, const buffer& scales, void* to) {
      dequantize_rows(device_, stream_, rows(numbers, scales, first),
                      half_of(to, made, settings_.width(), made.leading));
    };
    widened(numbers_[at].keys, scales_[at].keys, made.keys);
    widened(numbers_[at].values, scales_[at].values, made.values);
    return made;
  }

  [[nodiscard]] kv_cache_bytes held() const override {
    kv_cache_bytes sum;
    for (const kv_buffers& each : numbers_) each.add_to(sum);
    for (const kv_buffers& each : scales_) each.add_to(sum);
    return sum;
  }

  void forget(std::int64_t sequence) override {
    kv_cache::forget(sequence);
    for (std::int64_t i = 0; i < settings_.layers; ++i) {
      numbers_[index(i, sequence)] = {};
      scales_[index(i, sequence)] = {};
    }
  }

 private:
  /// From row `first` on.
  [[nodiscard]] int8_rows rows(const buffer& numbers, const buffer& scales,
                               std::int64_t first) const {
    return {static_cast<std::int8_t*>(numbers.address()) + first * settings_.width(),
            static_cast<float*>(scales.address()) + first * settings_.kv_heads, settings_.head_dim};
  }

  buffer longer(const buffer& own, bytes there, bytes behind) {
    buffer made(device_, behind, tag::kv_cache, stream_);
    if (there > bytes{0}) device_.copy_on_device(made.address(), own.address(), there, stream_);
    return made;
  }

  void grow(buffer& numbers, buffer& scales, std::int64_t there, void* fresh, const kv_rows& from) {
    const std::int64_t behind = there + from.count;
    const bytes row{settings_.width()};
    const bytes scale_row = settings_.kv_heads * bytes{sizeof(float)};
    scales = longer(scales, there * scale_row, behind * scale_row);
    numbers = longer(numbers, there * row, behind * row);
    quantize_rows(device_, stream_, half_of(fresh, from, settings_.width(), from.leading),
                  rows(numbers, scales, there));
  }

  std::vector<kv_buffers> numbers_;  // by layer, then sequence
  std::vector<kv_buffers> scales_;
};

}  // namespace

std::unique_ptr<kv_cache> make_quantized_cache(device& on, stream_id stream,
                                               const kv_cache_settings& settings) {
  return std::make_unique<quantized_cache>(on, stream, settings);
}

}  // namespace headroom::kernels
