// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/decoder_trainer.hpp>
#include <headroom_kernels/ops/rotary.hpp>

namespace headroom::kernels {

/// Turns queries and keys of all sequences of a microbatch, or their gradients back.
/// @param projected  [tokens, queries + keys + values]
void turn_rows(device& on, stream_id stream, const decoder_shape& dims,
               const decoder_training_settings& settings, const tensor& projected, rotation way);

/// Attention within each sequence of a microbatch.
/// @param into  [tokens, queries]
void attend_sequences(device& on, stream_id stream, matrix_library& products,
                      const decoder_shape& dims, const decoder_training_settings& settings,
                      const tensor& projected, const tensor& into);

/// @param dy          gradient of the result, [tokens, queries]
/// @param dprojected  [tokens, queries + keys + values]
void attend_sequences_backward(device& on, stream_id stream, matrix_library& products,
                               const decoder_shape& dims, const decoder_training_settings& settings,
                               const tensor& projected, const tensor& dy, const tensor& dprojected);

}  // namespace headroom::kernels
