// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "compared_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace headroom::kernels {
namespace {

constexpr double tolerance_on_a_gpu = 1e-3;

/// Numbers that differ, and by how much at most.
class difference {
 public:
  void note(std::string_view what, std::span<const float> a, std::span<const float> b) {
    if (a.size() != b.size()) return differ(what, INFINITY);
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (std::bit_cast<std::uint32_t>(a[i]) == std::bit_cast<std::uint32_t>(b[i])) continue;
      const double by = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
      differ(what, std::isnan(by) ? INFINITY : by);
    }
  }
  [[nodiscard]] bool any() const { return numbers_ > 0; }
  [[nodiscard]] double most() const { return most_; }
  [[nodiscard]] std::string text() const {
    return any() ? fmt::format("{} differ, by {} at most, the first among the {}", numbers_, most_,
                               first_)
                 : "the same bits";
  }

 private:
  void differ(std::string_view what, double by) {
    if (numbers_++ == 0) first_ = what;
    most_ = std::max(most_, by);
  }
  std::size_t numbers_ = 0;
  double most_ = 0.0;
  std::string first_;
};

}  // namespace

check compare_results(const std::string& policy, const training_results& own,
                      const training_results& none, double tolerance) {
  difference found;
  found.note("losses", own.losses, none.losses);
  found.note("weights", own.weights, none.weights);
  check made;
  made.name = "outputs";
  made.passed = tolerance > 0.0 ? found.most() <= tolerance : !found.any();
  // An artifact's numbers are finite.
  if (std::isfinite(found.most())) made.difference = found.most();
  made.tolerance = tolerance;
  made.detail =
      fmt::format("\"{}\" against \"none\" after {} steps: of {} losses and {} weights, {}", policy,
                  own.losses.size(), own.losses.size(), own.weights.size(), found.text());
  return made;
}

compared_training::compared_training(workload_description description, results none,
                                     std::function<void(results)> take)
    : training_(std::move(description)), none_(std::move(none)), take_(std::move(take)) {}

void compared_training::finish(run_context& run) {
  training_.finish(run);
  if (!run.device().computes()) return;
  run.phase("compare", [&] {
    auto taken = std::make_shared<training_results>();
    taken->losses = training_.losses();
    training_.trainer()->export_weights([&](std::span<const float> values) {
      taken->weights.insert(taken->weights.end(), values.begin(), values.end());
    });
    if (take_) take_(taken);
    if (!none_) return;
    const double tolerance =
        run.device().info().kind == device_kind::cuda ? tolerance_on_a_gpu : 0.0;
    const std::string policy = description().find_option("checkpointing").value_or("");
    checks_.push_back(compare_results(policy, *taken, *none_, tolerance));
  });
}

std::vector<check> compared_training::checks() const {
  std::vector<check> all = training_.checks();
  all.insert(all.end(), checks_.begin(), checks_.end());
  return all;
}

}  // namespace headroom::kernels
