// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <charconv>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom_kernels/checkpointing.hpp>
#include <optional>

namespace headroom::kernels {
namespace {

using keeping = checkpoint_policy::keeping;

constexpr std::string_view every = "every_";

/// The K of "every_K", without sign or leading zeros (but for 0 itself).
std::optional<std::int64_t> number_behind(std::string_view name) {
  if (!name.starts_with(every)) return std::nullopt;
  const std::string_view digits = name.substr(every.size());
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = problem == std::errc() && end == digits.data() + digits.size();
  if (!whole || digits.front() == '-' || (digits.front() == '0' && digits.size() > 1)) {
    return std::nullopt;
  }
  return number;
}

std::int64_t root_rounded_up(std::int64_t of) {
  std::int64_t root = 1;
  while (root <= of / root && root * root < of) ++root;
  return root;
}

}  // namespace

checkpoint_policy checkpoint_policy_from_name(std::string_view name, std::int64_t layers) {
  const std::string text(name);
  if (name == "none") return {text, keeping::all};
  if (name == "selective") return {text, keeping::products};
  if (name == "every_layer") return {text, keeping::segments, 1};
  if (name == "sqrt") return {text, keeping::segments, root_rounded_up(layers)};
  const auto number = number_behind(name);
  if (!number) {
    throw usage_error(
        fmt::format("there is no checkpointing policy {}; write \"none\", \"selective\", "
                    "\"every_layer\", \"every_2\" (or another number of layers) or \"sqrt\"",
                    quoted_text(name)));
  }
  if (*number < 1) {
    throw usage_error(fmt::format(
        "the checkpointing policy \"{}\" has no layer in a segment; write \"every_layer\", or "
        "\"none\" to keep all activations",
        name));
  }
  if (*number > layers) {
    throw usage_error(fmt::format(
        "the checkpointing policy \"{}\" has more layers in a segment than the network, which has "
        "{}; write \"every_{}\" or a smaller number",
        name, layers, layers));
  }
  return {text, keeping::segments, *number};
}

kept_tensors plan_kept_tensors(const checkpoint_policy& policy, std::int64_t layers) {
  switch (policy.keeps) {
    case keeping::all:
      return {2 * layers - 1, 2 * layers - 1, layers, layers};
    case keeping::products:
      return {layers, layers, layers, layers};
    case keeping::segments:
      break;
  }
  // The first segment's input is the network's own. Segments are run again from the last, which may
  // be short, to the first; behind one its input is dropped.
  const std::int64_t segment = policy.segment_layers;
  const std::int64_t inputs = (layers - 1) / segment;
  const std::int64_t last = layers - inputs * segment;
  if (inputs > 0 && last < segment) return {inputs, inputs - 1 + segment, 0, segment};
  return {inputs, inputs + last, 0, last};
}

}  // namespace headroom::kernels
