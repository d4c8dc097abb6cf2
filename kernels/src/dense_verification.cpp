// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "dense_verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <headroom_kernels/bfloat16.hpp>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "dispatch.hpp"

namespace headroom::kernels {
namespace {

float run_microbatches(dense_trainer& trainer, const dense_batch& batch) {
  float loss = 0.0F;
  for (std::int64_t i = 0; i < batch.microbatches(); ++i) {
    trainer.forward(batch.input(i));
    loss += trainer.loss(batch.target(i), batch.terms()).value_or(0.0F);
    trainer.backward(batch.input(i));
  }
  return loss;
}

/// Where two runs differ first, and the largest difference of all.
class comparison {
 public:
  explicit comparison(device& on) : on_(on) {}

  void compare(std::string_view what, float a, float b) {
    note(what, a, b, std::memcmp(&a, &b, sizeof(a)) == 0);
  }
  void compare(const std::string& what, const tensor& a, const tensor& b) {
    with_element(a.type(), [&]<class T>(T*) {
      const std::vector<T> of_a = read<T>(a);
      const std::vector<T> of_b = read<T>(b);
      if (std::memcmp(of_a.data(), of_b.data(), of_a.size() * sizeof(T)) == 0) {
        compared_ += of_a.size();
        return;
      }
      for (std::size_t i = 0; i < of_a.size(); ++i) {
        note(what, widen(of_a[i]), widen(of_b[i]), std::memcmp(&of_a[i], &of_b[i], sizeof(T)) == 0);
      }
    });
  }

  [[nodiscard]] check result(std::string_view policy, std::string_view other,
                             std::int64_t steps) const {
    check made{"checkpointing", first_.empty(), most_, 0.0, ""};
    made.detail = fmt::format(
        "\"{}\" against \"{}\" after {} steps: {} numbers of losses, weights "
        "and gradients, {}",
        policy, other, steps, compared_,
        first_.empty() ? "the same bits" : "first difference in " + first_);
    return made;
  }

 private:
  template <class T>
  std::vector<T> read(const tensor& from) {
    std::vector<T> values(static_cast<std::size_t>(from.dims().elements()));
    on_.copy_to_host(values.data(), from.address(), from.size(), {});
    on_.synchronize();
    return values;
  }
  void note(std::string_view what, float a, float b, bool same) {
    ++compared_;
    if (same) return;
    if (first_.empty()) first_ = what;
    most_ = std::max(most_, std::abs(static_cast<double>(a) - static_cast<double>(b)));
  }

  device& on_;
  std::size_t compared_ = 0;
  std::string first_;
  double most_ = 0.0;
};

}  // namespace

std::optional<check> compare_checkpointing(const verified_run& run) {
  const dense_network& network = run.trainer.network();
  training_settings settings = run.trainer.settings();
  const std::string own = settings.checkpointing.name;
  settings.checkpointing = checkpoint_policy_from_name(
      settings.checkpointing.keeps == checkpoint_policy::keeping::all ? "every_layer" : "none",
      network.dims().layers);
  const dense_network twin(run.on, {}, network.dims(), run.seed, network.adapter_scale());
  dense_trainer trainer(run.on, {}, twin, run.products, settings);

  comparison found(run.on);
  for (std::int64_t step = 0; step < run.steps; ++step) {
    const float loss = run_microbatches(trainer, run.batch);
    trainer.update();
    if (run.losses.empty()) continue;
    found.compare(fmt::format("the loss of step {}", step + 1),
                  run.losses[static_cast<std::size_t>(step)], loss);
  }
  static_cast<void>(run_microbatches(run.trainer, run.batch));
  static_cast<void>(run_microbatches(trainer, run.batch));
  if (!run.on.computes()) return std::nullopt;
  for (std::size_t i = 0; i < twin.layers().size(); ++i) {
    const auto compare_all = [&](std::string_view what, const dense_network::layer& mine,
                                 const dense_network::layer& other) {
      using member = tensor dense_network::layer::*;
      for (const auto& [name, part] : std::initializer_list<std::pair<const char*, member>>{
               {"weight", &dense_network::layer::weight},
               {"bias", &dense_network::layer::bias},
               {"down", &dense_network::layer::down},
               {"up", &dense_network::layer::up}}) {
        if ((mine.*part).address() == nullptr) continue;
        found.compare(fmt::format("{}{} of layer {}", name, what, i), mine.*part, other.*part);
      }
    };
    compare_all("", network.layers()[i], twin.layers()[i]);
    compare_all("'s gradient", run.trainer.gradients()[i], trainer.gradients()[i]);
  }
  return found.result(own, settings.checkpointing.name, run.steps);
}

}  // namespace headroom::kernels
