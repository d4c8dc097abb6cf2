// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>

#include "estimate_options.hpp"
#include "option_values.hpp"

namespace headroom::cli {
namespace {

/// Weights as they are stored.
struct stored_weights {
  std::vector<weight_group> groups;
  std::vector<std::int64_t> sharing;  ///< of each, how many share a scale; 0: none do
};

void add_group(stored_weights& to, const std::string& text) {
  const std::size_t sign = text.find('=');
  const std::size_t at = text.rfind('@');
  if (sign == std::string::npos || sign == 0 || at == std::string::npos || at < sign) {
    throw usage_error(
        fmt::format("--group {}: write NAME=PARAMETERS@BITS, for example experts=6000000000@4, or "
                    "with the size of the groups that share a scale, experts=6000000000@4/128",
                    quoted_text(text)));
  }
  weight_group group;
  group.name = text.substr(0, sign);
  if (!fault_of_text(group.name).empty()) {
    throw usage_error(
        fmt::format("--group {}: a name without control characters is missing", quoted_text(text)));
  }
  group.parameters = whole_number("--group PARAMETERS", text.substr(sign + 1, at - sign - 1), 1);
  const std::size_t slash = text.find('/', at);
  group.bits = small_number("--group BITS", text.substr(at + 1, slash - at - 1), 1, most_bits);
  to.groups.push_back(std::move(group));
  to.sharing.push_back(
      slash == std::string::npos ? 0 : whole_number("--group SHARING", text.substr(slash + 1), 1));
}

class estimate_command final : public command {
 public:
  [[nodiscard]] command_words words() const override {
    return {.name = "estimate",
            .purpose = "weights and envelope by formula; no device needed",
            .arguments = "",
            .details =
                "The bytes of weights, group by group, and with a reserve the envelope: weights "
                "plus what is set aside for the rest. Each figure stands in bytes, GB (10^9) and "
                "GiB (2^30) with its formula. Nothing is multiplied in secret, and what the "
                "figure leaves out is listed.",
            .exits = estimate_exits,
            .example =
                "headroom estimate --parameters 7000000000 --bits 16 \\\n"
                "  --reserve \"4 GiB\" --capacity 24GB\n"
                "headroom estimate --group attention=2000000000@16 \\\n"
                "  --group mlp=5000000000@4/128"};
  }

  void declare(CLI::App& options) override {
    options.add_option("--parameters", parameters_, "how many weights there are")->type_name("N");
    options.add_option("--bits", bits_, "of one weight as it is stored: 32, 16, 8, 4")
        ->type_name("B");
    options
        .add_option("--group", groups_,
                    "weights with bits of their own, and with /G a scale of 16 bits and a zero "
                    "point of 8 for each G of them; may be repeated, also beside --parameters")
        ->type_name("NAME=N@B[/G]")
        ->allow_extra_args(false);
    common_.declare(options);
  }

  exit_code run(const console& io) override {
    stored_weights weights;
    if (parameters_.has_value() != bits_.has_value()) {
      throw usage_error(parameters_ ? "--parameters without --bits; write the bits of one weight "
                                      "as it is stored, for example --bits 16"
                                    : "--bits without --parameters; write how many there are");
    }
    if (parameters_) {
      weights.groups.push_back({"weights", whole_number("--parameters", *parameters_, 1),
                                small_number("--bits", *bits_, 1, most_bits), ""});
      weights.sharing.push_back(0);
    }
    for (const std::string& text : groups_) add_group(weights, text);
    if (weights.groups.empty()) {
      throw usage_error(
          "estimate: nothing to estimate; write --parameters N --bits B, for example --parameters "
          "7000000000 --bits 16, or --group NAME=N@B");
    }
    return common_.print("weights", "Weights by formula",
                         estimate_weights(weights.groups, weights.sharing), io);
  }

 private:
  std::optional<std::string> parameters_;
  std::optional<std::string> bits_;
  std::vector<std::string> groups_;
  estimate_options common_;
};

}  // namespace

std::unique_ptr<command> make_estimate(const program& /*of*/) {
  return std::make_unique<estimate_command>();
}

}  // namespace headroom::cli
