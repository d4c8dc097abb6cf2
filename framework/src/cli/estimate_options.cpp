// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "estimate_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>

#include "option_values.hpp"

namespace headroom::cli {

void estimate_options::declare(CLI::App& options) {
  options
      .add_option("--reserve", reserve_,
                  "bytes for what is left out, for example \"4 GiB\" or activations=1.5GiB; may be "
                  "repeated")
      ->type_name("[NAME=]SIZE")
      ->allow_extra_args(false);
  options.add_option("--reserve-gib", reserve_gib_, "another spelling of --reserve \"N GiB\"")
      ->type_name("N");
  options
      .add_option("--capacity", capacity_,
                  "say whether it fits: a size as the vendor writes it, 24GB, or 22.5GiB")
      ->type_name("SIZE");
  options.add_flag("--json", json_, "print one JSON document");
}

std::vector<reserve_item> estimate_options::reserve() const {
  std::vector<reserve_item> items;
  const auto add = [&](std::string name, bytes size) {
    const bool known = std::any_of(items.begin(), items.end(),
                                   [&](const reserve_item& item) { return item.name == name; });
    if (known) {
      throw usage_error(
          fmt::format("--reserve: {} is there twice; give each a name of its own, "
                      "for example activations=1GiB",
                      quoted_text(name)));
    }
    items.push_back({std::move(name), size, basis::assumed, "as given"});
  };
  for (const std::string& text : reserve_) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos) {
      add("reserve", size_option("--reserve", text));
      continue;
    }
    std::string name = text.substr(0, sign);
    if (!fault_of_text(name).empty()) {
      throw usage_error(
          fmt::format("--reserve {}: no name before the sign; write NAME=SIZE, for "
                      "example activations=1.5GiB",
                      quoted_text(text)));
    }
    add(std::move(name), size_option("--reserve", text.substr(sign + 1)));
  }
  if (reserve_gib_) {
    const size_result size = parse_size(*reserve_gib_ + " GiB");
    if (!size.value) {
      throw usage_error(
          fmt::format("--reserve-gib {}: no number of GiB; write it with digits and "
                      "at most one point, for example 4 or 1.5",
                      quoted_text(*reserve_gib_)));
    }
    add("reserve", *size.value);
  }
  return items;
}

exit_code estimate_options::print(std::string of, std::string title, estimate figures,
                                  const console& io) const {
  estimate_answer answer{std::move(of), std::move(title), std::move(figures), false, {}, ""};
  const std::vector<reserve_item> items = reserve();
  add_reserve(answer.figures, items);
  answer.has_reserve = !items.empty();
  if (capacity_) {
    answer.capacity = size_option("--capacity", *capacity_);
    answer.capacity_text = *capacity_;
    if (answer.capacity->n == 0) {
      throw usage_error("--capacity \"" + *capacity_ +
                        "\": nothing fits 0 B; write what the "
                        "device has, for example 24GB");
    }
  }
  io.out << (json_ ? estimate_json(answer) : estimate_text(answer));
  if (!answer.capacity) return exit_code::done;
  switch (*answer.answer()) {
    case capacity_answer::fits:
      return exit_code::done;
    case capacity_answer::does_not_fit:
      return exit_code::exceeded;
    case capacity_answer::cannot_be_told:
      break;
  }
  return exit_code::unknown;
}

}  // namespace headroom::cli
