// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/data_parallel.hpp>
#include <initializer_list>

namespace headroom::kernels {
namespace {

constexpr stream_id stream{};

/// Sums of one tensor after another; the host's memory is that of the largest.
class host_sum {
 public:
  host_sum(std::span<const training_replica> replicas, const std::function<void(std::size_t)>& at)
      : replicas_(replicas), at_(at) {}

  /// @param of  the tensor in the gradients of a layer
  void reduce(std::size_t layer, tensor dense_trainer::gradient::*of) {
    const auto part = [&](std::size_t replica) -> const tensor& {
      return replicas_[replica].trainer->gradients()[layer].*of;
    };
    if (part(0).address() == nullptr) return;  // of a parameter that is frozen
    const auto elements = static_cast<std::size_t>(part(0).dims().elements());
    sum_.resize(elements);
    one_.resize(elements);
    for (std::size_t i = 0; i < replicas_.size(); ++i) {
      device& on = enter(i);
      std::vector<float>& into = i == 0 ? sum_ : one_;
      on.copy_to_host(into.data(), part(i).address(), part(i).size(), stream);
      on.synchronize(stream);
      if (i == 0) continue;
      for (std::size_t element = 0; element < elements; ++element) sum_[element] += one_[element];
    }
    for (std::size_t i = 0; i < replicas_.size(); ++i) {
      device& on = enter(i);
      on.copy_to_device(part(i).address(), sum_.data(), part(i).size(), stream);
      on.synchronize(stream);  // the host's copy is used again
    }
  }

 private:
  device& enter(std::size_t replica) const {
    if (at_) at_(replica);
    return *replicas_[replica].on;
  }

  std::span<const training_replica> replicas_;
  const std::function<void(std::size_t)>& at_;
  std::vector<float> sum_;
  std::vector<float> one_;
};

}  // namespace

void reduce_gradients(std::span<const training_replica> replicas,
                      const std::function<void(std::size_t)>& at) {
  if (replicas.size() < 2 || !replicas.front().on->computes()) return;
  using gradient = dense_trainer::gradient;
  host_sum sum(replicas, at);
  // Backward makes the last layer's gradients first.
  for (std::size_t behind = replicas.front().trainer->gradients().size(); behind > 0; --behind) {
    for (const auto of : {&gradient::weight, &gradient::bias, &gradient::down, &gradient::up}) {
      sum.reduce(behind - 1, of);
    }
  }
}

}  // namespace headroom::kernels
