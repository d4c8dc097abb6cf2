// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/dense_network.hpp>
#include <headroom_kernels/loss.hpp>

namespace headroom::kernels {

/// Inputs and targets of a batch in device memory, tag `inputs`. The inputs are random; what is to
/// be learned can be: the place of the largest input of a row (cross_entropy), or the inputs
/// themselves (mean_squared_error).
class dense_batch {
 public:
  dense_batch() = default;
  /// Allocates, and queues the values.
  /// @param microbatch    the shape of one
  /// @param microbatches  how many
  /// @param part          which of several batches from one seed, that have nothing in common
  /// @throws out_of_memory; usage_error when sizes do not fit 64 bits
  dense_batch(device& on, stream_id stream, const dense_shape& microbatch,
              std::int64_t microbatches, loss_kind loss, std::uint64_t seed, std::int64_t part = 0);

  /// [batch, context, width] of one microbatch. @param which  below the number of microbatches
  [[nodiscard]] tensor_view input(std::int64_t which) const;
  [[nodiscard]] loss_target target(std::int64_t which) const;
  /// Over all microbatches.
  [[nodiscard]] std::int64_t terms() const { return terms_; }
  [[nodiscard]] std::int64_t microbatches() const { return microbatches_; }

 private:
  [[nodiscard]] tensor_view part(const tensor& of, std::int64_t which) const;

  shape microbatch_;
  std::int64_t microbatches_ = 0;
  std::int64_t terms_ = 0;
  tensor inputs_;   // [microbatches, batch, context, width]
  tensor values_;   // likewise; of mean_squared_error
  buffer classes_;  // int32, [microbatches, batch, context]; of cross_entropy
};

}  // namespace headroom::kernels
