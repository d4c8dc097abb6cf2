// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "decoder_description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>

#include "dense_description.hpp"

namespace headroom::kernels {
namespace {

constexpr std::array<std::pair<std::string_view, std::int64_t decoder_shape::*>, 7> model_sizes{{
    {"layers", &decoder_shape::layers},
    {"width", &decoder_shape::width},
    {"heads", &decoder_shape::heads},
    {"kv_heads", &decoder_shape::kv_heads},
    {"head_dim", &decoder_shape::head_dim},
    {"ffn", &decoder_shape::ffn},
    {"vocabulary", &decoder_shape::vocabulary},
}};
constexpr std::array<std::string_view, 9> run_sizes{"sequences", "prompt",        "decode",
                                                    "capacity",  "window",        "block_tokens",
                                                    "blocks",    "shared_prefix", "group"};
constexpr std::array<std::string_view, 3> training_sizes{"batch", "context", "microbatches"};
constexpr std::array<std::string_view, 8> training_options{
    "shape",     "tied",          "attention",     "staging",
    "optimizer", "learning_rate", "checkpointing", workspace_option};
constexpr std::array<std::string_view, 9> option_names{"shape",     "tied",    "cache",
                                                       "attention", "lengths", "over_capacity",
                                                       "staging",   "weights", workspace_option};

bool is_model_size(std::string_view name) {
  return std::any_of(model_sizes.begin(), model_sizes.end(),
                     [&](const auto& each) { return each.first == name; });
}

/// What an operation of the workload knows.
struct known_names {
  std::string_view operation;
  std::span<const std::string_view> sizes;
  std::span<const std::string_view> options;
};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_names(const workload_description& of, const known_names& known) {
  if (of.operation != known.operation) {
    throw usage_error(
        fmt::format("the workload \"decoder\" has no operation {}; write \"generate\" or \"train\"",
                    quoted_text(of.operation)));
  }
  for (const auto& [name, size] : of.requested.entries()) {
    if (!is_model_size(name) && !contains(known.sizes, name)) {
      throw usage_error(fmt::format(
          "the workload \"decoder\" has no dimension {}; to {} it has {}, and those of the model",
          quoted_text(name), known.operation, fmt::join(known.sizes, ", ")));
    }
    if (size < 1) {
      throw usage_error(
          fmt::format("the workload \"decoder\" has {} = {}; give 1 or more", name, size));
    }
  }
  for (const auto& [name, value] : of.options) {
    if (!contains(known.options, name)) {
      throw usage_error(
          fmt::format("the workload \"decoder\" has no option {}; to {} it has \"{}\"",
                      quoted_text(name), known.operation, fmt::join(known.options, "\", \"")));
    }
  }
}

}  // namespace

decoder_shape read_decoder_shape(const workload_description& of) {
  decoder_shape dims;
  const auto name = of.find_option("shape");
  if (name) {
    const auto preset = decoder_preset(*name);
    if (!preset) {
      throw usage_error(fmt::format("there is no shape {}; write \"{}\"", quoted_text(*name),
                                    fmt::join(decoder_preset_names(), "\", \"")));
    }
    dims = *preset;
  }
  for (const auto& [size, member] : model_sizes) {
    if (name) {
      dims.*member = of.requested.find(size).value_or(dims.*member);
    } else {
      dims.*member = read_decoder_size(of, size);
    }
  }
  if (of.find_option("tied")) dims.tied = read_choice(of, "tied", {"no", "yes"}) == "yes";
  dims.type = dtype_from_name(of.dtype);
  check_shape(dims);
  return dims;
}

std::int64_t read_decoder_size(const workload_description& of, std::string_view name) {
  if (const auto size = of.requested.find(name)) return *size;
  throw usage_error(fmt::format(
      "the workload \"decoder\" has no size for \"{}\"; give {}, and a shape or all sizes of the "
      "model",
      name, of.operation == "train" ? "batch and context" : "sequences, prompt and decode"));
}

std::string_view read_choice(const workload_description& of, std::string_view name,
                             std::initializer_list<std::string_view> choices) {
  const auto text = of.find_option(name);
  if (!text) return *choices.begin();
  for (const std::string_view each : choices) {
    if (*text == each) return each;
  }
  throw usage_error(fmt::format("{} is {}; write \"{}\"", name, quoted_text(*text),
                                fmt::join(choices, "\" or \"")));
}

weight_staging read_staging(const workload_description& of) {
  const bool staged = read_choice(of, "staging", {"none", "float32"}) == "float32";
  return staged ? weight_staging::float32 : weight_staging::none;
}

void check_generation_names(const workload_description& of) {
  check_names(of, {"generate", run_sizes, option_names});
}

void check_training_names(const workload_description& of) {
  check_names(of, {"train", training_sizes, training_options});
}

std::string text_of(const decoder_shape& dims) {
  std::string text;
  for (const auto& [name, member] : model_sizes) {
    text += fmt::format("{} {}, ", name, dims.*member);
  }
  return text + (dims.tied ? "tied" : "not tied");
}

}  // namespace headroom::kernels
