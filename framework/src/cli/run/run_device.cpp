// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run_device.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <headroom/core/card.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/series/open_device.hpp>

#include "../option_values.hpp"
#include "card_survey.hpp"

namespace headroom::cli {
namespace {

constexpr std::string_view forms =
    "write emulated:CARD (emulated:rtx4090), emulated:SIZE (emulated:24GB), emulated:FILE.json or "
    "cuda:N";
// Of a card that is only a size: as the emulation has it.
constexpr std::string_view capability_of_a_size = "9.0";
constexpr bytes context_of_a_size{std::int64_t{500} << 20};

run_device of_card(const card& described, const std::string& text, std::string setting) {
  run_device found;
  found.text = text;
  found.setting = std::move(setting);
  const compute_capability& version = described.capability.value;
  run_card card;
  card.name = "Emulated " + described.title;
  card.capability = fmt::format("{}.{}", version.major, version.minor);
  card.capacity = described.capacity();
  card.capacity_basis = described.capacity_words();
  card.context = described.context.value;
  card.context_basis = described.context.published ? "published" : "assumed";
  found.cards.push_back(std::move(card));
  return found;
}

run_device of_size(bytes size, const std::string& text) {
  if (size.n == 0)
    throw usage_error(fmt::format("--device {}: a capacity of 0 holds nothing", quoted_text(text)));
  run_device found;
  found.text = text;
  found.setting = format_bytes(size);
  run_card card;
  card.name = "Emulated " + format_bytes(size);
  card.capability = capability_of_a_size;
  card.capacity = size;
  card.capacity_basis = "as given";
  card.context = context_of_a_size;
  card.context_basis = "assumed";
  found.cards.push_back(std::move(card));
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

/// The wish that nothing but a measurement passes. Also of the program's own libraries, which may
/// be others than those here: see program_failure.
void refuse_emulated(const std::string& text) {
  if (!cuda_required()) return;
  throw device_error(fmt::format(
      "HEADROOM_REQUIRE=cuda, and {} is an emulated card; nothing was measured. Run this "
      "with a real driver: without the emulation's folder in LD_LIBRARY_PATH and its "
      "libraries in LD_PRELOAD",
      text));
}

run_device of_driver(const std::string& text, int count) {
  const device_request wanted = parse_device_request(text);
  const card_survey survey = survey_cards();
  if (!survey.missing.empty()) {
    throw device_error(
        fmt::format("{} is not there: {}; nothing was measured", text, survey.missing));
  }
  const auto shown = static_cast<int>(survey.cards.size());
  run_device found;
  found.text = text;
  found.driver = survey.driver;
  found.first = wanted.index;
  if (!wanted.uuid.empty()) {
    constexpr std::size_t prefix = 4;  // "GPU-", or "MIG-", which the driver itself does not tell
    found.first = 0;
    while (found.first < shown &&
           survey.cards[static_cast<std::size_t>(found.first)].identifier.substr(prefix) !=
               wanted.uuid.substr(prefix)) {
      ++found.first;
    }
  }
  if (found.first >= shown || count > shown - found.first) {
    throw device_error(
        fmt::format("{} is not there: the driver shows {} device(s){}; nothing was "
                    "measured",
                    text, shown, count > 1 ? fmt::format(", and {} were asked for", count) : ""));
  }
  if (survey.emulated) refuse_emulated(text);
  found.subset = count < shown;
  for (int i = found.first; i < found.first + count; ++i) {
    const surveyed_card& each = survey.cards[static_cast<std::size_t>(i)];
    run_card card;
    card.name = each.name;
    card.capability = each.capability;
    card.capacity = each.capacity;
    card.capacity_basis = "as the driver declares";
    card.identifier = each.identifier;
    card.emulated = survey.emulated;
    found.cards.push_back(std::move(card));
  }
  return found;
}

}  // namespace

bool cuda_required() {
  const char* const required = std::getenv("HEADROOM_REQUIRE");
  if (required == nullptr || *required == '\0') return false;
  if (std::string_view(required) == "cuda") return true;
  throw usage_error(
      fmt::format("HEADROOM_REQUIRE is {}; write cuda, or leave it unset", quoted_text(required)));
}

run_device read_run_device(const std::string& text, int count,
                           const std::optional<std::string>& context) {
  constexpr std::string_view emulated = "emulated:";
  if (text.empty()) throw usage_error(fmt::format("run: --device is missing; {}", forms));
  if (text.starts_with("cuda:")) {
    if (context) {
      throw usage_error("--context-bytes is for emulated cards: what a context takes of " + text +
                        " is read; leave it out");
    }
    return of_driver(text, count);
  }
  if (!text.starts_with(emulated)) {
    throw usage_error(fmt::format("--device {}: {}", quoted_text(text), forms));
  }
  run_device found = of_emulated(text, text.substr(emulated.size()));
  run_card& card = found.cards.front();
  if (context) {
    card.context = size_option("--context-bytes", *context);
    card.context_basis = "as given";
  }
  if (card.context >= card.capacity) {
    throw usage_error(fmt::format("--context-bytes: {} leaves nothing of the card's {}",
                                  format_exact(card.context), format_exact(card.capacity)));
  }
  found.cards.resize(static_cast<std::size_t>(count), card);
  return found;
}

}  // namespace headroom::cli
