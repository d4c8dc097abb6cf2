// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <headroom_kernels/dense_training_workload.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headroom::kernels {

/// What a training left, on the host: the loss of each step, and all weights after them.
struct training_results {
  std::vector<float> losses;
  std::vector<float> weights;
};

/// @param policy     named in the check
/// @param tolerance  largest difference of one number that is accepted; 0: the same bits
[[nodiscard]] check compare_results(const std::string& policy, const training_results& own,
                                    const training_results& none, double tolerance);

/// A dense training whose results are compared, behind its last phase, with those of the policy
/// none. On the cpu they must have the same bits; on a GPU they may differ by one step of the
/// learning rate, since products may be added up in another order.
class compared_training final : public workload {
 public:
  using results = std::shared_ptr<const training_results>;
  /// @param none  what to compare with; null: nothing
  /// @param take  is given the training's own results, where the device computes; may be empty
  /// @throws usage_error as dense_training_workload
  compared_training(workload_description description, results none,
                    std::function<void(results)> take = {});

  [[nodiscard]] const workload_description& description() const override {
    return training_.description();
  }
  [[nodiscard]] std::string_view pass_name() const override { return training_.pass_name(); }
  void load(run_context& run) override { training_.load(run); }
  void make_inputs(run_context& run) override { training_.make_inputs(run); }
  void run_pass(run_context& run) override { training_.run_pass(run); }
  void finish(run_context& run) override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings() const override {
    return training_.settings();
  }
  [[nodiscard]] std::vector<check> checks() const override;

 private:
  dense_training_workload training_;
  results none_;
  std::function<void(results)> take_;
  std::vector<check> checks_;
};

}  // namespace headroom::kernels
