// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <array>
#include <headroom/core/error.hpp>
#include <headroom_kernels/decoder_shape.hpp>
#include <utility>

namespace headroom::kernels {
namespace {

struct preset {
  std::string_view name;
  decoder_shape dims;
};

// layers, width, heads, KV heads, head dimension, MLP, vocabulary, tied, rotary base
constexpr std::array<preset, 4> presets{{
    {"1b", {16, 2048, 32, 8, 64, 8192, 128256, true}},
    {"7b", {32, 4096, 32, 32, 128, 11008, 32000, false, 10000.0F}},
    {"8b", {32, 4096, 32, 8, 128, 14336, 128256, false}},
    {"70b", {80, 8192, 64, 8, 128, 28672, 128256, false}},
}};

/// @throws usage_error that names the product
std::int64_t product(std::string_view what, std::int64_t a, std::int64_t b) {
  std::int64_t made = 0;
  if (checked_multiply(a, b, made)) return made;
  throw usage_error(
      fmt::format("{} of a decoder, {} x {}, do not fit 64 bits; make one smaller", what, a, b));
}

}  // namespace

void check_shape(const decoder_shape& dims) {
  for (const auto& [name, size] : {std::pair<std::string_view, std::int64_t>{"layers", dims.layers},
                                   {"width", dims.width},
                                   {"heads", dims.heads},
                                   {"kv_heads", dims.kv_heads},
                                   {"head_dim", dims.head_dim},
                                   {"ffn", dims.ffn},
                                   {"vocabulary", dims.vocabulary}}) {
    if (size < 1) {
      throw usage_error(fmt::format("a decoder has {} = {}; give 1 or more", name, size));
    }
  }
  if (dims.heads % dims.kv_heads != 0) {
    throw usage_error(fmt::format(
        "a decoder has {} heads and {} kv_heads; give heads that are a multiple of kv_heads, so "
        "that each of these serves as many queries",
        dims.heads, dims.kv_heads));
  }
  if (dims.head_dim % 2 != 0) {
    throw usage_error(
        fmt::format("a decoder has head_dim = {}; give an even number: rotary positions turn pairs",
                    dims.head_dim));
  }
  static_cast<void>(product("queries, heads x head_dim", dims.heads, dims.head_dim));
  // Keys are no more than queries: three times these fit when the next line does.
  static_cast<void>(product("queries, keys and values, 3 x", 3, dims.queries()));
  static_cast<void>(product("gate and up, 2 x ffn", 2, dims.ffn));
  static_cast<void>(dims.parameters());
}

std::int64_t decoder_shape::parameters() const {
  std::int64_t sum = 0;
  for (const decoder_parameter& each : parameters_of(*this)) {
    const std::int64_t all = product(each.name, each.dims.elements(), each.count);
    if (!checked_add(sum, all, sum)) {
      throw usage_error(fmt::format(
          "the parameters of a decoder, up to \"{}\", do not fit 64 bits; make a size smaller",
          each.name));
    }
  }
  return sum;
}

std::optional<decoder_shape> decoder_preset(std::string_view name) {
  for (const preset& each : presets) {
    if (each.name == name) return each.dims;
  }
  return std::nullopt;
}

std::vector<std::string_view> decoder_preset_names() {
  std::vector<std::string_view> names;
  for (const preset& each : presets) names.push_back(each.name);
  return names;
}

std::vector<decoder_parameter> parameters_of(const decoder_shape& dims) {
  const axis width{"width", dims.width};
  std::vector<decoder_parameter> made{
      {"embedding", {{"vocabulary", dims.vocabulary}, width}, 1},
      {"attention norm", {width}, dims.layers},
      {"query, key and value", {width, {"projections", dims.projections()}}, dims.layers, true},
      {"attention output", {{"queries", dims.queries()}, width}, dims.layers, true},
      {"MLP norm", {width}, dims.layers},
      {"gate and up", {width, {"gate and up", 2 * dims.ffn}}, dims.layers, true},
      {"down", {{"ffn", dims.ffn}, width}, dims.layers, true},
      {"final norm", {width}, 1}};
  if (!dims.tied) made.push_back({"output", {{"vocabulary", dims.vocabulary}, width}, 1});
  return made;
}

}  // namespace headroom::kernels
