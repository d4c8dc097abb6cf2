// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "program_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <headroom/core/size_text.hpp>
#include <map>
#include <set>

#include "program_failure.hpp"
#include "program_levels.hpp"

namespace headroom::cli {
namespace {

constexpr std::string_view whole_name = "run";
constexpr std::size_t most_of_one_name = 64;

workload_description workload_of(const run_facts& facts) {
  if (facts.against != nullptr) return facts.against->workload;
  workload_description work;
  const std::string& first = facts.command.front();
  work.name = first.substr(first.rfind('/') + 1);
  // "python train.py": the script says more than what runs it.
  for (std::size_t i = 1; i < facts.command.size() && work.name.starts_with("python"); ++i) {
    const std::string& word = facts.command[i];
    if (word.starts_with("-")) continue;
    work.name = word.substr(word.rfind('/') + 1);
  }
  work.operation = "run";
  work.revision = not_stated;
  work.dtype = not_stated;
  return work;
}

program_record program_of(const run_facts& facts, const std::vector<card_user>& users) {
  program_record program;
  program.command = facts.command;
  program.phases = facts.phases;
  program.counted = facts.counted;
  program.capacity_basis = facts.cards.front().capacity_basis;
  program.exit_code = facts.end.code;
  program.signal = facts.end.signal;
  program.unmodelled = facts.log.unmodelled;
  program.gaps = facts.log.gaps;
  program.kernels_left_out = facts.log.kernels_left_out;
  for (const card_user& user : users) {
    program_process process;
    process.number = user.number;
    process.ended = user.told != nullptr && user.told->ended;
    process.devices = levels_of_process(facts, user);
    if (user.told != nullptr) {
      process.command = user.told->command;
      for (const card_user& other : users) {
        if (other.slot->process.load() == user.told->parent) process.parent = other.number;
      }
      if (user.told->framework) {
        process.framework = user.told->framework->name + ", " + user.told->framework->allocator;
        if (program.weights.empty()) program.weights = user.told->framework->weights;
      }
    }
    program.processes.push_back(std::move(process));
  }
  return program;
}

pass_kind pass_of(const logged_phase& phase, int repeat) {
  if (phase.name.starts_with("cold_")) return pass_kind::cold;
  if (phase.name.starts_with("warm_")) return pass_kind::warm;
  if (phase.by == "pytorch")
    return phase.name == "evaluation" ? pass_kind::after : pass_kind::setup;
  return repeat == 1 ? pass_kind::cold : pass_kind::warm;
}

/// Phases of one process, in order. `run` is the phase around them all.
class phase_list {
 public:
  phase_list(const run_facts& facts, std::vector<phase_record>& into)
      : facts_(facts), into_(into) {}

  void add(const card_user& user, const std::vector<int>& devices) {
    std::map<int, std::string> names;
    std::map<std::pair<std::string, std::string>, int> times;
    const int failed = failed_number(facts_, user);
    for (const logged_phase& each : facts_.log.phases) {
      if (each.process != user.identity) continue;
      names[each.number] = each.name;
      const auto parent = names.find(each.parent);
      phase_record phase;
      phase.name = each.name;
      phase.parent = parent == names.end() ? std::string(whole_name) : parent->second;
      phase.repeat = ++times[{each.name, *phase.parent}];
      phase.pass = pass_of(each, phase.repeat);
      if (each.by != "pytorch" && phase.pass == pass_kind::warm) --phase.repeat;
      phase.status =
          each.status == "ok" || each.status == "open" ? phase_status::ok : phase_status::failed;
      phase.seconds = each.seconds;
      for (const int device : devices) {
        if (auto read = read_phase_levels(facts_, device, user, each)) {
          phase.readings.push_back(*std::move(read));
        }
      }
      into_.push_back(std::move(phase));
      if (each.number == failed) failed_ = into_.size();
    }
  }
  /// Where the run ended badly: behind the phase, 0 for none.
  [[nodiscard]] std::size_t failed() const { return failed_; }

 private:
  const run_facts& facts_;
  std::vector<phase_record>& into_;
  std::size_t failed_ = 0;
};

/// Of a phase that comes a thousand times: the first ones, the last, and those that are the highest
/// or the lowest in any counter, as limits on both sides are judged by what is kept. The others are
/// left out, and counted.
void thin_out(std::vector<phase_record>& phases, series_record& series) {
  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    by_name[phases[i].name + '\n' + phases[i].parent.value_or("")].push_back(i);
  }
  std::vector<bool> dropped(phases.size());
  for (const auto& [key, places] : by_name) {
    if (places.size() <= most_of_one_name) continue;
    std::vector<bool> kept(places.size());
    for (std::size_t i = 0; i < most_of_one_name / 2; ++i) kept[i] = true;
    kept.back() = true;
    using counter_of_device = std::pair<std::string, counter_id>;
    std::map<counter_of_device, std::pair<bytes, std::size_t>> highest;
    std::map<counter_of_device, std::pair<bytes, std::size_t>> lowest;
    std::set<counter_of_device> missing;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (phases[places[i]].status != phase_status::ok) kept[i] = true;
      for (const device_reading& read : phases[places[i]].readings) {
        for (const counter_id id : all_counters) {
          if (!read.end[id]) {
            if (missing.insert({read.device, id}).second) kept[i] = true;
            continue;
          }
          const auto [at, fresh] = highest.try_emplace({read.device, id}, *read.end[id], i);
          if (!fresh && at->second.first < *read.end[id]) at->second = {*read.end[id], i};
          const auto [low, first] = lowest.try_emplace({read.device, id}, *read.end[id], i);
          if (!first && *read.end[id] < low->second.first) low->second = {*read.end[id], i};
        }
      }
    }
    for (const auto& [what, where] : highest) kept[where.second] = true;
    for (const auto& [what, where] : lowest) kept[where.second] = true;
    std::size_t out = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      dropped[places[i]] = !kept[i];
      if (!kept[i]) ++out;
    }
    series.settings.emplace_back(
        "phases left out, none of them higher or lower than those kept",
        fmt::format("{} of {} of {}", out, places.size(), key.substr(0, key.find('\n'))));
  }
  std::size_t i = 0;
  std::erase_if(phases, [&](const phase_record&) { return dropped[i++]; });
}

std::vector<std::pair<std::string, std::string>> settings_of(const run_facts& facts) {
  const run_card& card = facts.cards.front();
  std::vector<std::pair<std::string, std::string>> all{
      {"card", card.name},
      {"capacity", fmt::format("{}, {}", format_exact(card.capacity), card.capacity_basis)}};
  if (facts.counted) {
    all.emplace_back("counted", "calls that take memory, by a library put before CUDA's");
  } else {
    all.emplace_back("context allowance",
                     fmt::format("{}, {}", format_exact(card.context), card.context_basis));
  }
  return all;
}

series_record build(const run_facts& facts, const std::vector<card_user>& users, bool one_process) {
  series_record series;
  series.created = utc_now();
  series.test = facts.test;
  series.tool = this_tool();
  series.workload = workload_of(facts);
  series.executed = series.workload.requested;
  series.protocol = {0, 1};
  series.pass_name = whole_name;
  series.fresh_process = true;
  series.environment = capture_environment();
  series.settings = settings_of(facts);
  if (facts.counted) series.environment.cuda_driver = facts.driver;
  if (!series.workload.requested.empty()) {
    series.settings.emplace_back("dimensions", "as the budget states them; a program is not asked");
  }
  series.program = program_of(facts, users);
  phase_record whole;
  whole.name = whole_name;
  whole.pass = pass_kind::cold;
  whole.repeat = 1;
  whole.status = phase_status::ok;
  whole.seconds = facts.end.seconds;
  std::vector<phase_record> inner;
  phase_list phases(facts, inner);
  std::map<const run_segment::process_slot*, std::vector<int>> alone;
  for (int device = 0; device < static_cast<int>(facts.cards.size()); ++device) {
    std::vector<card_user> here;
    std::copy_if(users.begin(), users.end(), std::back_inserter(here),
                 [&](const card_user& each) { return uses(each, device); });
    if (here.empty()) continue;
    card_reading read = read_card_levels(facts, device, here);
    whole.readings.push_back(std::move(read.whole));
    series.devices.push_back(std::move(read.device));
    // The phases of several processes on one card are in the artifacts of each.
    if (const card_user* const only = only_taker(here, device)) alone[only->slot].push_back(device);
  }
  for (const card_user& user : users) {
    const auto devices = alone.find(user.slot);
    if (devices != alone.end()) phases.add(user, devices->second);
  }
  settle_end(facts, users, one_process, series, whole,
             phases.failed() == 0 ? nullptr : &inner[phases.failed() - 1]);
  thin_out(inner, series);
  series.phases.push_back(std::move(whole));
  for (phase_record& each : inner) series.phases.push_back(std::move(each));
  return series;
}

}  // namespace

series_record series_of_run(const run_facts& facts) { return build(facts, users_of(facts), false); }

series_record series_of_process(const run_facts& facts, int number) {
  std::vector<card_user> all = users_of(facts);
  std::erase_if(all, [&](const card_user& each) { return each.number != number; });
  return build(facts, all, true);
}

}  // namespace headroom::cli
