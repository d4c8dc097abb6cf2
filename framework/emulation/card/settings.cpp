// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "settings.hpp"

#include <charconv>
#include <headroom/core/bytes.hpp>
#include <headroom/core/card.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <map>
#include <string_view>

namespace headroom::emulation {
namespace {

constexpr std::string_view prefix = "HEADROOM_EMULATED_";

class reader {
 public:
  reader(const std::string& name, const std::string& text, settings_result& into)
      : name_(name), text_(text), into_(into) {}

  void fault(const std::string& why) const {
    into_.faults.push_back(name_ + "=\"" + text_ + "\": " + why);
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const {
    const size_result read = parse_size(text_);
    if (read.value) return static_cast<std::uint64_t>(read.value->n);
    fault(read.found + "; " + read.advice);
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::uint64_t> number(std::uint64_t least, std::uint64_t most) const {
    std::uint64_t value = 0;
    const char* end = text_.data() + text_.size();
    const auto [at, error] = std::from_chars(text_.data(), end, value);
    if (error == std::errc() && at == end && value >= least && value <= most) return value;
    fault("write a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
  }
  template <class Value>
  void choice(Value& into, const std::map<std::string, Value>& choices) const {
    const auto found = choices.find(text_);
    if (found != choices.end()) {
      into = found->second;
      return;
    }
    std::string words;
    for (const auto& [word, value] : choices) words += (words.empty() ? "" : ", ") + word;
    fault("write one of " + words);
  }
  /// "9.0"
  [[nodiscard]] std::optional<std::pair<int, int>> capability() const {
    const std::size_t dot = text_.find('.');
    int major = 0;
    int minor = 0;
    const char* end = text_.data() + text_.size();
    if (dot != std::string::npos) {
      const auto first = std::from_chars(text_.data(), text_.data() + dot, major);
      const auto second = std::from_chars(text_.data() + dot + 1, end, minor);
      card_profile known;
      if (first.ec == std::errc() && first.ptr == text_.data() + dot && second.ec == std::errc() &&
          second.ptr == end && set_capability(known, major, minor)) {
        return std::pair(major, minor);
      }
    }
    fault("not a known compute capability; write one of " + known_capabilities());
    return std::nullopt;
  }

 private:
  const std::string& name_;
  const std::string& text_;
  settings_result& into_;
};

using variables = std::map<std::string, std::string>;

/// A card's file, where the text names one.
std::optional<card_profile> read_card_file(const reader& text, const std::string& file) {
  try {
    const headroom::card described = headroom::read_card(file);
    if (std::optional<card_profile> profile = profile_of(described)) return profile;
    text.fault("its compute capability is not known; there are " + known_capabilities());
  } catch (const headroom::error& fault) {
    text.fault(fault.what());
  }
  return std::nullopt;
}

void read_card(const variables& given, settings& into, settings_result& out) {
  const std::string name = std::string(prefix) + "CARD";
  const auto found = given.find(name);
  if (found == given.end()) {
    out.faults.push_back(name + " is not set: which card? Write a size (\"24 GB\") or one of " +
                         profile_ids());
    return;
  }
  const std::string& wanted = found->second;
  const reader text(name, wanted, out);
  if (wanted.ends_with(".json")) {
    if (const auto profile = read_card_file(text, wanted)) into.profile = *profile;
    return;
  }
  std::optional<card_profile> profile = find_profile(wanted);
  if (!profile) {
    const size_result size = parse_size(wanted);
    if (size.value && size.value->n > 0) {
      profile = profile_of_size(static_cast<std::uint64_t>(size.value->n), 9, 0);
    } else if (size.value) {
      text.fault("a card without capacity; write the size that the device declares");
    } else {
      text.fault("neither a size (" + size.found + "; " + size.advice + ") nor a known card; " +
                 headroom::advice_for_card(wanted));
    }
  }
  if (profile) into.profile = *profile;
}

}  // namespace

settings_result read_settings(const std::vector<std::string>& environment) {
  variables given;
  for (const std::string& line : environment) {
    const std::size_t sign = line.find('=');
    if (line.starts_with(prefix) && sign != std::string::npos) {
      given.emplace(line.substr(0, sign), line.substr(sign + 1));
    }
  }
  settings_result out;
  settings found;
  read_card(given, found, out);
  for (const auto& [name, value] : given) {
    const reader text(name, value, out);
    const std::string_view key = std::string_view(name).substr(prefix.size());
    if (key == "CARD") continue;
    if (key == "DEVICES") {
      if (const auto count = text.number(1, 64)) found.devices = static_cast<int>(*count);
    } else if (key == "CAPABILITY") {
      if (const auto pair = text.capability()) {
        static_cast<void>(set_capability(found.profile, pair->first, pair->second));
      }
    } else if (key == "CONTEXT") {
      if (const auto size = text.size()) found.context = *size;
    } else if (key == "CONTENTS") {
      text.choice<contents>(
          found.behind,
          {{"none", contents::none}, {"small", contents::small}, {"all", contents::all}});
    } else if (key == "UNMODELLED") {
      text.choice<unmodelled>(found.unknown_calls,
                              {{"refuse", unmodelled::refuse}, {"warn", unmodelled::warn}});
    } else if (key == "POLLS") {
      if (const auto count = text.number(1, 1'000'000'000)) found.polls = *count;
    } else if (key == "DNN_WORKSPACE") {
      if (const auto size = text.size()) found.dnn_workspace = *size;
    } else if (key == "RANK_LIMIT") {
      if (const auto seconds = text.number(1, 1'000'000)) found.rank_limit = *seconds;
    } else if (key == "LAUNCHES") {
      if (const auto count = text.number(1, 1'000'000'000'000)) found.launches = *count;
    } else if (key == "REPORT") {
      if (value.empty()) text.fault("write the name of a file, or leave the variable out");
      found.report = value;
    } else {
      text.fault(
          "no such setting; there are CARD, CAPABILITY, CONTENTS, CONTEXT, DEVICES, "
          "DNN_WORKSPACE, LAUNCHES, POLLS, RANK_LIMIT, REPORT and UNMODELLED");
    }
  }
  if (out.faults.empty() && found.context >= found.profile.capacity) {
    out.faults.push_back("HEADROOM_EMULATED_CONTEXT leaves nothing of the card's capacity");
  }
  if (out.faults.empty()) out.value = found;
  return out;
}

}  // namespace headroom::emulation
