// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/masked_softmax.hpp>

#include <cmath>
#include <headroom_kernels/launch.hpp>

#include "../dispatch.hpp"
#include "refuse.hpp"

namespace headroom::kernels {
namespace {

/// The keys [first, behind) of a tile that a row's query sees.
struct visible_keys {
  std::int64_t first;
  std::int64_t behind;
};
HEADROOM_HOST_DEVICE inline visible_keys visible(const attention_mask& mask, std::int64_t query,
                                                 std::int64_t keys) {
  const std::int64_t position = mask.first_query + query - mask.first_key;  // among the keys
  const std::int64_t behind = position + 1 < keys ? position + 1 : keys;
  const std::int64_t first = mask.window > 0 ? position + 1 - mask.window : 0;
  return {first > 0 ? first : 0, behind > 0 ? behind : 0};
}

template <class T>
struct masked_softmax_kernel {
  T* scores;  // [heads x queries, keys]
  std::int64_t queries;
  attention_mask mask;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    T* own = scores + row * width;
    const visible_keys seen = visible(mask, row % queries, width);
    float most = -INFINITY;
    for (std::int64_t i = seen.first + together.rank(); i < seen.behind; i += together.size()) {
      const float value = widen(own[i]);
      most = value > most ? value : most;
    }
    most = together.max(most);
    float sum = 0.0F;
    for (std::int64_t i = seen.first + together.rank(); i < seen.behind; i += together.size()) {
      sum += std::exp(widen(own[i]) - most);
    }
    const float scale = 1.0F / together.sum(sum);
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const bool sees = i >= seen.first && i < seen.behind;
      own[i] = narrow<T>(sees ? std::exp(widen(own[i]) - most) * scale : 0.0F);
    }
  }
};

template <class T>
struct softmax_backward_kernel {
  const T* weights;
  T* d;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    const std::int64_t first = row * width;
    float sum = 0.0F;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      sum += widen(weights[first + i]) * widen(d[first + i]);
    }
    sum = together.sum(sum);
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      d[first + i] = narrow<T>(widen(weights[first + i]) * (widen(d[first + i]) - sum));
    }
  }
};

struct begin_kernel {
  float* most;
  float* sum;
  float* weighted;  // [rows, width]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      weighted[row * width + i] = 0.0F;
    }
    if (together.rank() != 0) return;
    most[row] = -INFINITY;
    sum[row] = 0.0F;
  }
};

template <class T>
struct advance_kernel {
  const float* scores;  // [rows, keys]
  T* weights;           // [rows, keys]; may be scores
  float* most;          // [rows]
  float* sum;           // [rows]
  float* weighted;      // [rows, head_dim]
  std::int64_t queries;
  std::int64_t head_dim;
  attention_mask mask;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    const float* own = scores + row * width;
    const visible_keys seen = visible(mask, row % queries, width);
    const float before = most[row];
    float largest = before;
    for (std::int64_t i = seen.first + together.rank(); i < seen.behind; i += together.size()) {
      largest = own[i] > largest ? own[i] : largest;
    }
    largest = together.max(largest);  // and everybody has read most[row]
    float added = 0.0F;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const bool sees = i >= seen.first && i < seen.behind;
      const float weight = sees ? std::exp(own[i] - largest) : 0.0F;
      weights[row * width + i] = narrow<T>(weight);
      added += weight;
    }
    added = together.sum(added);
    if (largest == -INFINITY) return;  // no key seen so far: the same for the whole team
    const float keep = std::exp(before - largest);
    for (std::int64_t i = together.rank(); i < head_dim; i += together.size()) {
      weighted[row * head_dim + i] *= keep;
    }
    if (together.rank() != 0) return;
    most[row] = largest;
    sum[row] = sum[row] * keep + added;
  }
};

template <class T>
struct end_kernel {
  const float* sum;
  const float* weighted;  // [heads x queries, width]
  T* y;                   // [queries, heads x width], `leading` apart
  std::int64_t leading;
  std::int64_t queries;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    T* own = y + row % queries * leading + row / queries * width;
    const float scale = sum[row] > 0.0F ? 1.0F / sum[row] : 0.0F;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      own[i] = narrow<T>(weighted[row * width + i] * scale);
    }
  }
};

void check_axes(std::string_view operation, const tensor_view& scores) {
  if (scores.dims.rank() == 3) return;
  refuse(operation, {{"scores", scores}}, "give three axes: heads, queries and keys");
}

}  // namespace

void masked_softmax(device& on, stream_id stream, const tensor_view& scores,
                    const attention_mask& mask) {
  check_axes("masked_softmax", scores);
  with_element(scores.type, [&]<class T>(T*) {
    launch_rows(on, stream, scores.dims.rows(), scores.dims.width(),
                masked_softmax_kernel<T>{elements_of<T>(scores), scores.dims[1].size, mask});
  });
}

void softmax_backward(device& on, stream_id stream, const tensor_view& weights,
                      const tensor_view& d) {
  if (!(weights.dims == d.dims) || weights.type != d.type) {
    refuse("softmax_backward", {{"weights", weights}, {"d", d}}, "give both one shape and type");
  }
  with_element(d.type, [&]<class T>(T*) {
    launch_rows(on, stream, d.dims.rows(), d.dims.width(),
                softmax_backward_kernel<T>{elements_of<T>(weights), elements_of<T>(d)});
  });
}

void begin_softmax(device& on, stream_id stream, const running_softmax& state) {
  launch_rows(on, stream, state.weighted.dims.rows(), state.weighted.dims.width(),
              begin_kernel{elements_of<float>(state.most), elements_of<float>(state.sum),
                           elements_of<float>(state.weighted)});
}

void advance_softmax(device& on, stream_id stream, const running_softmax& state,
                     const attention_mask& mask) {
  check_axes("advance_softmax", state.scores);
  with_element(state.weights.type, [&]<class T>(T*) {
    launch_rows(on, stream, state.scores.dims.rows(), state.scores.dims.width(),
                advance_kernel<T>{elements_of<float>(state.scores), elements_of<T>(state.weights),
                                  elements_of<float>(state.most), elements_of<float>(state.sum),
                                  elements_of<float>(state.weighted), state.scores.dims[1].size,
                                  state.weighted.dims.width(), mask});
  });
}

void end_softmax(device& on, stream_id stream, const running_softmax& state, void* y, dtype type,
                 std::int64_t leading) {
  with_element(type, [&]<class T>(T*) {
    launch_rows(on, stream, state.weighted.dims.rows(), state.weighted.dims.width(),
                end_kernel<T>{elements_of<float>(state.sum), elements_of<float>(state.weighted),
                              static_cast<T*>(y), leading, state.weighted.dims[1].size});
  });
}

}  // namespace headroom::kernels
