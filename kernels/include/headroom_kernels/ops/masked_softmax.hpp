// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/device.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// Which keys a query sees: those at its own position and before, of these the last `window`.
struct attention_mask {
  std::int64_t first_query = 0;  ///< position of the first query
  std::int64_t first_key = 0;    ///< position of the first key
  std::int64_t window = 0;       ///< 0: all
};

/// Queues the softmax of each row of scores, in place: the weights of the keys that the row's query
/// sees, 0 for the others and for all of a query that sees none. Computed in float32.
/// @param scores  [heads, queries, keys]
/// @throws usage_error when scores has not three axes
void masked_softmax(device& on, stream_id stream, const tensor_view& scores,
                    const attention_mask& mask);

/// Queues the gradient of the scores from that of the weights, in its place:
/// d = weights (d - sum of weights d over the row).
/// @param weights, d  [..., keys], of one type
/// @throws usage_error when shapes or types differ
void softmax_backward(device& on, stream_id stream, const tensor_view& weights,
                      const tensor_view& d);

/// What the tiled form keeps of the softmax of each row while it walks along the keys.
struct running_softmax {
  tensor_view scores;    ///< [heads, queries, keys] float32: of one tile
  tensor_view weights;   ///< [heads, queries, keys]: exp(score - most) of the tile; scores itself
                         ///< where the type is float32
  tensor_view most;      ///< [heads, queries] float32: the largest score so far
  tensor_view sum;       ///< [heads, queries] float32: of exp(score - most) so far
  tensor_view weighted;  ///< [heads, queries, head_dim] float32: the weighted values so far
};
/// Queues the start: no keys seen.
void begin_softmax(device& on, stream_id stream, const running_softmax& state);
/// Queues one tile: its weights, and `most`, `sum` and `weighted` brought to its largest score. The
/// caller adds weights x values to `weighted` behind.
void advance_softmax(device& on, stream_id stream, const running_softmax& state,
                     const attention_mask& mask);
/// Queues y = weighted / sum, and 0 where a query saw no key.
/// @param y        of the first query; heads lie side by side
/// @param leading  elements of y from one query to the next
void end_softmax(device& on, stream_id stream, const running_softmax& state, void* y, dtype type,
                 std::int64_t leading);

}  // namespace headroom::kernels
