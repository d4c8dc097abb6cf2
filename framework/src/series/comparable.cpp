// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/series/comparable.hpp>
#include <utility>

namespace headroom {
namespace {

using text_pairs = std::vector<std::pair<std::string, std::string>>;

std::string text_of(text_pairs pairs) {
  if (pairs.empty()) return "none";
  std::sort(pairs.begin(), pairs.end());
  std::string text;
  for (const auto& [name, value] : pairs) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

class comparison {
 public:
  comparison(const series_record& base, const series_record& head) : base_(base), head_(head) {}

  std::vector<std::string> reasons() {
    compare_loads();
    differ("treatment of the cache between repeats", cache_of(base_), cache_of(head_));
    differ("touch of libraries before the cold pass", touch_of(base_), touch_of(head_));
    differ("number of fresh processes", std::to_string(base_.protocol.processes),
           std::to_string(head_.protocol.processes));
    if (base_.prediction() != head_.prediction()) {
      add("one is a prediction and the other a measurement", kind_of(base_), kind_of(head_));
    }
    if (base_.devices.size() != head_.devices.size()) {
      add("the number of devices differs", std::to_string(base_.devices.size()),
          std::to_string(head_.devices.size()));
      return std::move(reasons_);
    }
    for (std::size_t i = 0; i < base_.devices.size(); ++i) {
      compare_devices(base_.devices[i], head_.devices[i]);
    }
    return std::move(reasons_);
  }

 private:
  static std::string kind_of(const series_record& series) {
    return series.prediction() ? "a prediction" : "a measurement";
  }

  static std::string_view cache_of(const series_record& series) {
    return series.protocol.empty_cache_between_repeats ? "emptied" : "kept";
  }

  static std::string_view touch_of(const series_record& series) {
    return series.protocol.touch ? "touched" : "not touched";
  }

  void add(std::string_view what, std::string_view base, std::string_view head) {
    reasons_.push_back(fmt::format("{}: \"{}\" and \"{}\"", what, base, head));
  }
  void differ(std::string_view what, std::string_view base, std::string_view head) {
    if (base != head) add(fmt::format("the {} differs", what), base, head);
  }

  void compare_loads() {
    const workload_description& base = base_.workload;
    const workload_description& head = head_.workload;
    differ("workload", base.name, head.name);
    differ("operation", base.operation, head.operation);
    differ("pass", base_.pass_name, head_.pass_name);
    differ("dtype", base.dtype, head.dtype);
    differ("seed", std::to_string(base.seed), std::to_string(head.seed));
    if (!(base.requested == head.requested)) {
      add("the requested dimensions differ", base.requested.text(), head.requested.text());
    } else if (!(base_.executed == head_.executed)) {
      add("the executed dimensions differ", base_.executed.text(), head_.executed.text());
    }
    differ("set of options", text_of(base.options), text_of(head.options));
  }

  void compare_devices(const device_record& base, const device_record& head) {
    const bool cards = base.info.kind == device_kind::cuda && head.info.kind == device_kind::cuda;
    if (cards) differ("card", base.info.name, head.info.name);
    differ("allocator", base.allocator.name, head.allocator.name);
    differ("set of allocator settings", text_of(base.allocator.settings),
           text_of(head.allocator.settings));
    differ("source of the counters", base.source.name, head.source.name);
    for (const counter_id id : all_counters) {
      differ(fmt::format("coverage of the {}", words_of(id)), coverage_of(base.source[id]),
             coverage_of(head.source[id]));
    }
    differ("rehearsal", plan_of(base), plan_of(head));
  }

  static std::string_view coverage_of(const counter_coverage& each) {
    if (!each.available) return "not available";
    return each.exact ? "exact" : "a bound";
  }
  static std::string_view plan_of(const device_record& device) {
    return device.rehearsed ? std::string_view(device.rehearsed->plan) : "none";
  }

  const series_record& base_;
  const series_record& head_;
  std::vector<std::string> reasons_;
};

}  // namespace

std::vector<std::string> why_not_comparable(const series_record& base, const series_record& head) {
  return comparison(base, head).reasons();
}

}  // namespace headroom
