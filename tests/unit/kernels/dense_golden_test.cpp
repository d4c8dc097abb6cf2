// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Training against another implementation: tests/golden/dense_training_golden.py made the numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <headroom/device/cpu_device.hpp>
#include <headroom_kernels/dense_trainer.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "values.hpp"

namespace headroom::kernels {
namespace {

using json = nlohmann::json;

json read_golden() {
  std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/tests/golden/dense_training.json");
  return json::parse(file);
}

using golden_case = std::tuple<loss_kind, const char*, bool>;

class DenseGolden : public testing::TestWithParam<golden_case> {
 protected:
  DenseGolden()
      : golden_(read_golden()),
        expected_(golden_[std::string(name_of(loss())) + (adapted() ? "_adapters" : "")]) {
    const json& sizes = golden_["dimensions"];
    dims_ = {sizes["batch"], sizes["context"], sizes["width"], sizes["layers"], dtype::float32};
    if (adapted()) dims_.adapter_rank = golden_["adapters"]["rank"];
  }
  static bool adapted() { return std::get<2>(GetParam()); }
  static loss_kind loss() { return std::get<0>(GetParam()); }

  training_settings settings() const {
    training_settings made;
    made.loss = loss();
    made.checkpointing = checkpoint_policy_from_name(std::get<1>(GetParam()), dims_.layers);
    const json& adamw = golden_["adamw"];
    made.optimizer = {.kind = optimizer_kind::adamw,
                      .learning_rate = adamw["learning_rate"],
                      .beta1 = adamw["beta1"],
                      .beta2 = adamw["beta2"],
                      .epsilon = adamw["epsilon"],
                      .weight_decay = adamw["weight_decay"]};
    return made;
  }
  void expect_near(const tensor_view& found, const json& expected, double tolerance) {
    const std::vector<float> values = test::read(cpu_, found);
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(values[i], expected[i].get<double>(), tolerance) << "at " << i;
    }
  }
  /// Parameters that are trained, or their gradients.
  void expect_trained(const dense_network::layer& found, const json& expected, double tolerance) {
    if (adapted()) {
      expect_near(found.down, expected.at("down"), tolerance);
      expect_near(found.up, expected.at("up"), tolerance);
    } else {
      expect_near(found.weight, expected.at("weight"), tolerance);
      expect_near(found.bias, expected.at("bias"), tolerance);
    }
  }

  cpu_device cpu_;
  json golden_;
  json expected_;
  dense_shape dims_;
};
std::string name_of_golden_case(const testing::TestParamInfo<golden_case>& of) {
  const auto& [loss, policy, adapted] = of.param;
  return std::string(name_of(loss)) + "_" + policy + (adapted ? "_adapters" : "");
}
INSTANTIATE_TEST_SUITE_P(
    DenseTrainer, DenseGolden,
    testing::Combine(testing::Values(loss_kind::cross_entropy, loss_kind::mean_squared_error),
                     testing::Values("none", "selective", "every_layer", "every_2"),
                     testing::Bool()),
    name_of_golden_case);

TEST_P(DenseGolden, ForwardLossGradientsAndThreeStepsOfAdamw) {
  const json& inputs = golden_["inputs"];
  const dense_network network(cpu_, {}, dims_, 1, golden_["adapters"]["scale"]);
  for (std::size_t i = 0; i < network.layers().size(); ++i) {
    test::write(cpu_, network.layers()[i].weight, inputs["layers"][i]["weight"]);
    test::write(cpu_, network.layers()[i].bias, inputs["layers"][i]["bias"]);
    if (!adapted()) continue;
    test::write(cpu_, network.layers()[i].down, inputs["adapters"][i]["down"]);
    test::write(cpu_, network.layers()[i].up, inputs["adapters"][i]["up"]);
  }
  const tensor x = test::make(cpu_, dims_.activation(), dtype::float32, inputs["x"]);
  const tensor values = test::make(cpu_, dims_.activation(), dtype::float32, inputs["values"]);
  std::vector<std::int32_t> classes = inputs["classes"];
  const loss_target target{{classes.data(), static_cast<std::int64_t>(classes.size())}, values};

  matrix_library products(cpu_, {});
  dense_trainer trainer(cpu_, {}, network, products, settings());
  for (std::size_t step = 0; step < 3; ++step) {
    trainer.forward(x);
    if (step == 0) expect_near(trainer.output(), expected_["output"], 1e-6);
    const auto found = trainer.loss(target, loss_terms(loss(), dims_.activation()));
    EXPECT_NEAR(found.value(), expected_["losses"][step].get<double>(), 1e-6);
    trainer.backward(x);
    for (std::size_t i = 0; step == 0 && i < network.layers().size(); ++i) {
      SCOPED_TRACE("layer " + std::to_string(i));
      expect_trained(trainer.gradients()[i], expected_["gradients"].at(i), 1e-6);
    }
    trainer.update();
  }
  for (std::size_t i = 0; i < network.layers().size(); ++i) {
    SCOPED_TRACE("layer " + std::to_string(i));
    expect_trained(network.layers()[i], expected_["trained"].at(i), 2e-6);
  }
}

}  // namespace
}  // namespace headroom::kernels
