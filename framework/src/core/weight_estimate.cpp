// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/core/weight_estimate.hpp>
#include <initializer_list>
#include <string_view>

namespace headroom {
namespace {

void require(std::string_view name, std::int64_t value, std::int64_t least) {
  if (value >= least) return;
  throw usage_error(
      fmt::format("quantized weights have {} = {}; give {} or more", name, value, least));
}

[[noreturn]] void refuse(std::string_view term) {
  throw usage_error(fmt::format(
      "the term \"{}\" of the weights does not fit 64 bits; give fewer or smaller matrices", term));
}

std::int64_t product(std::string_view term, std::initializer_list<std::int64_t> factors) {
  std::int64_t made = 1;
  for (const std::int64_t each : factors) {
    if (!checked_multiply(made, each, made)) refuse(term);
  }
  return made;
}

void add(std::string_view term, std::int64_t& sum, std::int64_t more) {
  if (!checked_add(sum, more, sum)) refuse(term);
}

/// count x bits / 8, rounded up.
weight_term term_of(std::string_view name, std::int64_t count, int bits) {
  std::int64_t all = product(name, {count, bits});
  add(name, all, 7);
  return {std::string(name), fmt::format("{} x {} bit", count, bits), bytes{all / 8}};
}

}  // namespace

quantized_weights_estimate estimate_quantized_weights(const quantized_weights_request& of) {
  if (of.bits != 8 && of.bits != 4) {
    throw usage_error(fmt::format("quantized weights have bits = {}; give 8 or 4", of.bits));
  }
  require("group", of.group, 1);
  require("bits of a scale", of.scale_bits, 1);
  require("bits of a zero point", of.zero_point_bits, 1);
  require("bits of what is kept", of.kept_bits, 1);
  require("kept parameters", of.kept_parameters, 0);
  std::int64_t numbers = 0;
  std::int64_t groups = 0;
  for (const weight_matrices& each : of.quantized) {
    require("inputs", each.inputs, 1);
    require("outputs", each.outputs, 1);
    require("matrices", each.count, 1);
    add("numbers", numbers, product("numbers", {each.inputs, each.outputs, each.count}));
    const std::int64_t along = (each.inputs - 1) / of.group + 1;
    add("scales", groups, product("scales", {along, each.outputs, each.count}));
  }
  quantized_weights_estimate made;
  made.terms = {term_of("numbers", numbers, of.bits), term_of("scales", groups, of.scale_bits),
                term_of("zero points", groups, of.zero_point_bits),
                term_of("kept as they are", of.kept_parameters, of.kept_bits)};
  for (const weight_term& each : made.terms) add(each.name, made.total.n, each.size.n);
  std::int64_t parameters = numbers;
  add("numbers", parameters, of.kept_parameters);
  made.naive = term_of("parameters x bits", parameters, of.bits).size;
  return made;
}

}  // namespace headroom
