// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <headroom/core/error.hpp>

#include "estimate_options.hpp"
#include "option_values.hpp"

namespace headroom::cli {
namespace {

class estimate_training_command final : public command {
 public:
  [[nodiscard]] command_words words() const override {
    return {.name = "estimate training",
            .purpose = "weights, gradients and optimizer state by formula",
            .arguments = "",
            .details =
                "What training keeps from step to step. AdamW keeps two numbers of each trained "
                "parameter, momentum one, sgd none. Weights below 32 bits are given a second copy "
                "of 32 bits (master weights) unless --master-bits says otherwise. Activations are "
                "not in it: measure them.",
            .exits = estimate_exits,
            .example =
                "headroom estimate training --parameters 7000000000 --bits 16 \\\n"
                "  --optimizer adamw --reserve activations=20GiB --capacity 141GB"};
  }

  void declare(CLI::App& options) override {
    const auto add = [&](const char* name, std::optional<std::string>& into, const char* what,
                         const char* type) {
      options.add_option(name, into, what)->type_name(type);
    };
    add("--parameters", parameters_, "how many weights there are", "N");
    add("--bits", bits_, "of one weight as it is stored", "B");
    add("--optimizer", optimizer_, "adamw, momentum or sgd", "NAME");
    add("--trained", trained_, "parameters that are updated (default: all)", "N");
    add("--gradient-bits", gradient_bits_, "of one gradient (default: as the weights)", "B");
    add("--state-bits", state_bits_, "of one number of the optimizer (default 32)", "B");
    add("--master-bits", master_bits_,
        "of a second copy of the trained weights, 0 for none (default: 32 where the weights have "
        "fewer, else 0)",
        "B");
    common_.declare(options);
  }

  exit_code run(const console& io) override {
    const auto require = [](const std::optional<std::string>& value, const char* advice) {
      if (!value) throw usage_error(fmt::format("estimate training: {}", advice));
    };
    require(parameters_, "--parameters is missing; write how many weights there are");
    require(bits_, "--bits is missing; write those of one weight as it is stored, for example 16");
    require(optimizer_, "--optimizer is missing; write adamw, momentum or sgd");
    training_shape shape;
    shape.parameters = whole_number("--parameters", *parameters_, 1);
    shape.trained =
        trained_ ? whole_number("--trained", *trained_, 1, shape.parameters) : shape.parameters;
    shape.weight_bits = small_number("--bits", *bits_, 1, most_bits);
    const auto bits = [](const char* name, const std::optional<std::string>& text, int lowest,
                         int otherwise) {
      return text ? small_number(name, *text, lowest, most_bits) : otherwise;
    };
    shape.gradient_bits = bits("--gradient-bits", gradient_bits_, 1, shape.weight_bits);
    shape.state_bits = bits("--state-bits", state_bits_, 1, 32);
    shape.master_bits = bits("--master-bits", master_bits_, 0, shape.weight_bits < 32 ? 32 : 0);
    const std::array<std::string, 3> names{"adamw", "momentum", "sgd"};
    shape.optimizer = *optimizer_rule_from_name(one_of("--optimizer", *optimizer_, names));
    return common_.print("training", fmt::format("Training with {} by formula", *optimizer_),
                         estimate_training(shape), io);
  }

 private:
  std::optional<std::string> parameters_;
  std::optional<std::string> bits_;
  std::optional<std::string> optimizer_;
  std::optional<std::string> trained_;
  std::optional<std::string> gradient_bits_;
  std::optional<std::string> state_bits_;
  std::optional<std::string> master_bits_;
  estimate_options common_;
};

}  // namespace

std::unique_ptr<command> make_estimate_training(const program& /*of*/) {
  return std::make_unique<estimate_training_command>();
}

}  // namespace headroom::cli
