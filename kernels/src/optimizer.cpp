// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom_kernels/ops/convert.hpp>
#include <headroom_kernels/optimizer.hpp>

namespace headroom::kernels {
namespace {

adamw_step adamw_of(const optimizer_settings& settings, std::int64_t step) {
  const auto of = [](double value) { return static_cast<float>(value); };
  const auto t = static_cast<double>(step);
  return {of(1 - settings.learning_rate * settings.weight_decay),
          of(settings.beta1),
          of(1 - settings.beta1),
          of(settings.beta2),
          of(1 - settings.beta2),
          of(settings.learning_rate / (1 - std::pow(settings.beta1, t))),
          of(1 / std::sqrt(1 - std::pow(settings.beta2, t))),
          of(settings.epsilon)};
}

}  // namespace

std::string_view name_of(optimizer_kind kind) {
  return kind == optimizer_kind::sgd ? "sgd" : "adamw";
}

optimizer_kind optimizer_from_name(std::string_view name) {
  for (const optimizer_kind kind : {optimizer_kind::sgd, optimizer_kind::adamw}) {
    if (name == name_of(kind)) return kind;
  }
  throw usage_error(
      fmt::format("there is no optimizer {}; write \"sgd\" or \"adamw\"", quoted_text(name)));
}

int state_tensors(optimizer_kind kind, dtype parameter) {
  return (kind == optimizer_kind::sgd ? 1 : 2) + (parameter == dtype::float32 ? 0 : 1);
}

optimizer::optimizer(device& on, stream_id stream, const optimizer_settings& settings,
                     std::size_t parameters)
    : device_(on), stream_(stream), settings_(settings), states_(parameters) {}

void optimizer::start(state& own, const tensor_view& weight) {
  const auto make = [&] {
    return tensor(device_, stream_, weight.dims, dtype::float32, tag::optimizer);
  };
  state made;
  if (weight.type != dtype::float32) made.master = make();
  made.first = make();
  if (settings_.kind == optimizer_kind::adamw) made.second = make();

  if (made.master.address() != nullptr) convert(device_, stream_, weight, made.master);
  device_.fill_zero(made.first.address(), made.first.size(), stream_);
  if (made.second.address() != nullptr) {
    device_.fill_zero(made.second.address(), made.second.size(), stream_);
  }
  own = std::move(made);
}

void optimizer::update(std::size_t which, const tensor_view& weight, const tensor_view& gradient) {
  state& own = states_.at(which);
  if (own.first.address() == nullptr) start(own, weight);
  const updated_parameter parameter{weight, own.master, gradient};
  if (settings_.kind == optimizer_kind::sgd) {
    sgd_update(
        device_, stream_, parameter, own.first,
        {static_cast<float>(settings_.learning_rate), static_cast<float>(settings_.momentum)});
  } else {
    adamw_update(device_, stream_, parameter, own.first, own.second, adamw_of(settings_, step_));
  }
}

tensor_view optimizer::most_exact(std::size_t which, const tensor_view& weight) const {
  const tensor& master = states_.at(which).master;
  return master.address() != nullptr ? master.view() : weight;
}

}  // namespace headroom::kernels
