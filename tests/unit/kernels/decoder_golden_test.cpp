// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The decoder against another implementation: tests/golden/decoder_golden.py made the numbers.
#include <gtest/gtest.h>

#include <fstream>
#include <headroom_kernels/decoder_trainer.hpp>
#include <nlohmann/json.hpp>

#include "decoder_support.hpp"

namespace headroom::kernels {
namespace {

using json = nlohmann::json;
using strategy = kv_cache_strategy;

json read_golden(const std::string& name) {
  std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/tests/golden/decoder.json");
  return json::parse(file).at(name);
}

decoder_shape shape_of(const json& sizes) {
  decoder_shape dims;
  dims.layers = sizes["layers"];
  dims.width = sizes["width"];
  dims.heads = sizes["heads"];
  dims.kv_heads = sizes["kv_heads"];
  dims.head_dim = sizes["head_dim"];
  dims.ffn = sizes["ffn"];
  dims.vocabulary = sizes["vocabulary"];
  dims.tied = sizes["tied"];
  dims.rotary_base = sizes["rotary_base"];
  dims.norm_epsilon = sizes["norm_epsilon"];
  return dims;
}

class DecoderGolden : public testing::TestWithParam<std::tuple<const char*, attention_form>> {
 protected:
  DecoderGolden()
      : golden_(read_golden(std::get<0>(GetParam()))),
        dims_(shape_of(golden_["sizes"])),
        network_(cpu_, {}, dims_, 1) {
    const json& weights = golden_["weights"];
    write("embedding", network_.embedding());
    for (std::size_t i = 0; i < network_.layers().size(); ++i) {
      const decoder_network::layer& own = network_.layers()[i];
      const std::string layer = std::to_string(i) + ".";
      write(layer + "attention_norm", own.attention_norm);
      write(layer + "projections", own.projections.plain());
      write(layer + "attention_output", own.attention_output.plain());
      write(layer + "mlp_norm", own.mlp_norm);
      write(layer + "gate_up", own.gate_up.plain());
      write(layer + "down", own.down.plain());
    }
    write("final_norm", network_.final_norm());
    if (!dims_.tied) write("output", network_.output());
    EXPECT_EQ(weights.size(), static_cast<std::size_t>(dims_.tied ? 2 : 3) +
                                  6 * static_cast<std::size_t>(dims_.layers));
  }
  void write(const std::string& name, const tensor& to) {
    const json& values = golden_["weights"].at(name);
    ASSERT_EQ(static_cast<std::int64_t>(values.size()), to.dims().elements()) << name;
    test::write(cpu_, to, values);
  }

  /// Prompts of 2 and 3 tokens, then token by token, the second sequence ending first.
  void expect_logits(const char* name, strategy which, std::int64_t window) {
    const std::vector<std::vector<std::int32_t>> sequences = golden_["sequences"];
    kv_cache_settings settings =
        test::cache_for(dims_, which, {std::ssize(sequences[0]), std::ssize(sequences[1])});
    if (window > 0) settings.window = window;
    test::running_decoder run(cpu_, network_, settings, {std::get<1>(GetParam()), window});
    std::vector<std::size_t> done(2);
    std::vector<std::size_t> next{2, 3};
    while (done[0] < sequences[0].size()) {
      std::vector<std::vector<std::int32_t>> fresh(2);
      for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t behind = std::min(done[i] + next[i], sequences[i].size());
        fresh[i].assign(sequences[i].begin() + static_cast<std::ptrdiff_t>(done[i]),
                        sequences[i].begin() + static_cast<std::ptrdiff_t>(behind));
        done[i] = behind;
        next[i] = 1;
      }
      std::vector<float> expected;
      for (std::size_t i = 0; i < 2; ++i) {
        if (fresh[i].empty()) continue;
        const std::vector<float> all = golden_[name][i];
        const auto width = static_cast<std::ptrdiff_t>(dims_.vocabulary);
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(done[i] - 1) * width;
        expected.insert(expected.end(), first, first + width);
      }
      EXPECT_LT(test::relative_difference(run.step(fresh), expected), 5e-6)
          << "after " << done[0] << " and " << done[1] << " tokens";
    }
  }

  cpu_device cpu_;
  json golden_;
  decoder_shape dims_;
  decoder_network network_;
};
INSTANTIATE_TEST_SUITE_P(Decoder, DecoderGolden,
                         testing::Combine(testing::Values("one_layer", "two_layers_tied"),
                                          testing::Values(attention_form::materialised,
                                                          attention_form::tiled)),
                         [](const auto& each) {
                           return std::string(std::get<0>(each.param)) + "_" +
                                  std::string(name_of(std::get<1>(each.param)));
                         });

TEST_P(DecoderGolden, LogitsOfPromptsAndOfEveryDecodedToken) {
  for (const strategy which :
       {strategy::growing, strategy::fixed, strategy::offloaded, strategy::paged}) {
    SCOPED_TRACE(name_of(which));
    expect_logits("logits", which, 0);
  }
}

TEST_P(DecoderGolden, LogitsUnderASlidingWindow) {
  for (const strategy which : {strategy::growing, strategy::sliding_window, strategy::paged}) {
    SCOPED_TRACE(name_of(which));
    expect_logits("window_logits", which, golden_["window"]);
  }
}

/// The names of a decoder's parameters in the order in which it makes them.
std::vector<std::string> parameter_names(const decoder_shape& dims) {
  std::vector<std::string> names{"embedding"};
  for (std::int64_t i = 0; i < dims.layers; ++i) {
    for (const char* each :
         {"attention_norm", "projections", "attention_output", "mlp_norm", "gate_up", "down"}) {
      names.push_back(std::to_string(i) + "." + each);
    }
  }
  names.emplace_back("final_norm");
  if (!dims.tied) names.emplace_back("output");
  return names;
}

std::vector<std::int32_t> flat(const json& rows) {
  std::vector<std::int32_t> all;
  for (const json& row : rows) {
    for (const json& each : row) all.push_back(each);
  }
  return all;
}

TEST_P(DecoderGolden, LossAndEveryGradientUnderEachPolicy) {
  const json& training = golden_["training"];
  std::vector<std::int32_t> tokens = flat(training["batch"]);
  std::vector<std::int32_t> next = flat(training["classes"]);
  const auto count = static_cast<std::int64_t>(tokens.size());
  for (const char* policy : {"none", "selective", "every_layer", "sqrt"}) {
    SCOPED_TRACE(policy);
    decoder_training_settings settings;
    settings.batch = std::ssize(training["batch"]);
    settings.context = count / settings.batch;
    settings.checkpointing = checkpoint_policy_from_name(policy, dims_.layers);
    settings.form = std::get<1>(GetParam());
    matrix_library products(cpu_, {});
    decoder_trainer trainer(cpu_, {}, network_, products, settings);
    trainer.forward({tokens.data(), count});
    const auto loss = trainer.loss({next.data(), count}, count);
    EXPECT_NEAR(loss.value(), training["loss"].get<double>(), 2e-6);
    trainer.backward({tokens.data(), count});
    const std::vector<std::string> names = parameter_names(dims_);
    ASSERT_EQ(names.size(), trainer.gradients().size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::vector<float> expected = training["gradients"].at(names[i]);
      EXPECT_LT(test::relative_difference(test::read(cpu_, trainer.gradients()[i]), expected), 2e-5)
          << names[i];
    }
  }
}

}  // namespace
}  // namespace headroom::kernels
