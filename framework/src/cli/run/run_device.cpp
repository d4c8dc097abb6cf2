// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run_device.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <headroom/core/card.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/series/open_device.hpp>

#include "../option_values.hpp"

namespace headroom::cli {
namespace {

constexpr std::string_view forms =
    "write emulated:CARD (emulated:rtx4090), emulated:SIZE (emulated:24GB) or emulated:FILE.json";
// Of a card that is only a size: as the emulation has it.
constexpr std::string_view capability_of_a_size = "9.0";
constexpr bytes context_of_a_size{std::int64_t{500} << 20};

run_device of_card(const card& described, const std::string& text, std::string setting) {
  run_device found;
  found.text = text;
  found.setting = std::move(setting);
  found.card.name = "Emulated " + described.title;
  const compute_capability& version = described.capability.value;
  found.card.capability = fmt::format("{}.{}", version.major, version.minor);
  found.card.capacity = described.capacity();
  found.card.capacity_basis = described.capacity_words();
  found.card.context = described.context.value;
  found.card.context_basis = described.context.published ? "published" : "assumed";
  return found;
}

run_device of_size(bytes size, const std::string& text) {
  if (size.n == 0)
    throw usage_error(fmt::format("--device {}: a capacity of 0 holds nothing", quoted_text(text)));
  run_device found;
  found.text = text;
  found.setting = format_bytes(size);
  found.card.name = "Emulated " + format_bytes(size);
  found.card.capability = capability_of_a_size;
  found.card.capacity = size;
  found.card.capacity_basis = "as given";
  found.card.context = context_of_a_size;
  found.card.context_basis = "assumed";
  return found;
}

run_device of_emulated(const std::string& text, const std::string& wanted) {
  if (wanted.ends_with(".json")) {
    return of_card(read_card(wanted), text, std::filesystem::absolute(wanted).string());
  }
  if (const auto known = find_card(wanted)) return of_card(*known, text, wanted);
  const size_result size = parse_size(wanted);
  if (size.value) return of_size(*size.value, text);
  const bool number = !wanted.empty() && wanted.front() >= '0' && wanted.front() <= '9';
  throw usage_error(fmt::format("--device {}: {}", quoted_text(text),
                                number ? fmt::format("{}; {}", size.found, size.advice)
                                       : fmt::format("no such card; {}", advice_for_card(wanted))));
}

}  // namespace

run_device read_run_device(const std::string& text, const std::optional<std::string>& context) {
  constexpr std::string_view emulated = "emulated:";
  if (text.empty()) throw usage_error(fmt::format("run: --device is missing; {}", forms));
  if (text.starts_with("cuda:")) {
    const device_availability there = find_device(parse_device_request(text));
    throw device_error(
        there.available
            ? fmt::format("{}: counting a program on a real card is not there yet; {}", text, forms)
            : there.reason + "; nothing was measured");
  }
  if (!text.starts_with(emulated)) {
    throw usage_error(fmt::format("--device {}: {}", quoted_text(text), forms));
  }
  run_device found = of_emulated(text, text.substr(emulated.size()));
  if (context) {
    found.card.context = size_option("--context-bytes", *context);
    found.card.context_basis = "as given";
  }
  if (found.card.context >= found.card.capacity) {
    throw usage_error(fmt::format("--context-bytes: {} leaves nothing of the card's {}",
                                  format_exact(found.card.context),
                                  format_exact(found.card.capacity)));
  }
  return found;
}

}  // namespace headroom::cli
