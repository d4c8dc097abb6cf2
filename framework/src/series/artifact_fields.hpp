// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <headroom/core/json_fields.hpp>
#include <headroom/series/artifact_reader.hpp>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom::detail {

inline constexpr std::int64_t largest_integer = std::numeric_limits<std::int64_t>::max();
inline constexpr int most_passes = 1'000'000;
inline constexpr std::array all_passes{pass_kind::setup, pass_kind::cold, pass_kind::warmup,
                                       pass_kind::warm, pass_kind::after};

/// Members of one object of an artifact. An artifact always has all of them, so every one that is
/// asked for has to be there; what cannot be read is reported and leaves its target as it was.
class artifact_fields {
 public:
  artifact_fields(const json_node& node, problem_list& problems)
      : node_(node), fields_(node, problems), problems_(problems) {}

  /// nullptr when it is missing
  const json_node* member(std::string_view key);
  /// nullptr when it is missing or null
  const json_node* nullable(std::string_view key);
  /// For members that older artifacts lack.
  [[nodiscard]] bool has(std::string_view key) const { return node_.find(key) != nullptr; }
  void text(std::string_view key, std::string& into);
  void text(std::string_view key, std::optional<std::string>& into);
  void flag(std::string_view key, bool& into);
  void number(std::string_view key, int& into, int lowest, int highest);
  void number(std::string_view key, std::int64_t& into, std::int64_t lowest);
  void number(std::string_view key, std::optional<std::int64_t>& into);
  void number(std::string_view key, std::optional<double>& into);
  /// Bytes: JSON integers.
  void size(std::string_view key, bytes& into);
  void size(std::string_view key, std::optional<bytes>& into, bytes lowest = bytes{0});
  /// A text that must be this one.
  void constant(std::string_view key, std::string_view value);
  void finish() { fields_.finish(); }

  /// One of several names. @param values all there are; name_of gives the name of each
  template <class Values, class Value>
  void name(std::string_view key, const Values& values, Value& into) {
    const json_node* const node = member(key);
    if (node != nullptr) choose(*node, values, into);
  }
  template <class Values, class Value>
  void name(std::string_view key, const Values& values, std::optional<Value>& into) {
    const json_node* const node = nullable(key);
    if (node != nullptr) choose(*node, values, into.emplace());
  }

  /// Every item of an array. @param read takes an item and the problems
  template <class Item, class Read>
  void list(std::string_view key, std::vector<Item>& into, Read read) {
    const json_node* const node = member(key);
    if (node == nullptr) return;
    const auto* items = read_array(*node, problems_);
    if (items == nullptr) return;
    for (const json_node& item : *items) into.push_back(read(item, problems_));
  }
  void texts(std::string_view key, std::vector<std::string>& into);

  problem_list& problems() { return problems_; }

 private:
  template <class Values, class Value>
  void choose(const json_node& node, const Values& values, Value& into) {
    std::vector<std::string_view> names;
    for (const auto& value : values) {
      if (node.kind == json_kind::string && node.text == name_of(value)) {
        into = value;
        return;
      }
      names.push_back(name_of(value));
    }
    refuse(node, "one of " + list_of(names));
  }
  void refuse(const json_node& node, std::string_view wanted);

  const json_node& node_;
  json_fields fields_;
  problem_list& problems_;
};

inline constexpr std::array all_bases{basis::computed, basis::measured, basis::assumed};

// Parts of an artifact. Each reports every fault of it.

void read_workload(const json_node& node, series_record& series, problem_list& problems);
void read_protocol(const json_node& node, series_record& series, problem_list& problems);
environment_record read_environment(const json_node& node, problem_list& problems);
device_record read_device(const json_node& node, problem_list& problems);
probe_record read_probe(const json_node& node, problem_list& problems);
phase_record read_phase(const json_node& node, problem_list& problems);
program_record read_program(const json_node& node, problem_list& problems);
calibration_record read_calibration(const json_node& node, problem_list& problems);
check read_check(const json_node& node, problem_list& problems);
counter_spread read_spread(const json_node& node, problem_list& problems);
void read_estimate(const json_node& node, stored_budget& into, problem_list& problems);
void read_budget(const json_node& node, stored_artifact& into, problem_list& problems);
std::vector<std::pair<std::string, std::string>> read_pairs(const json_node& node,
                                                            problem_list& problems);

/// What the parts say of each other. @param root of the artifact; nothing in it is missing
void check_agreement(const json_node& root, const stored_artifact& read,
                     const std::vector<counter_spread>& spreads, problem_list& problems);

}  // namespace headroom::detail
