// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/report/replay_answer.hpp>
#include <headroom/series/environment.hpp>
#include <nlohmann/json.hpp>

#include "fields.hpp"

namespace headroom {
namespace {

using detail::to_json;
using json = nlohmann::ordered_json;

json settings_json(const allocator_settings& settings) {
  json object = json::object();
  for (const auto& [name, value] : settings.entries()) object[name] = value;
  return object;
}

json moment_json(const replay_moment& moment) {
  return {{"event", moment.event},
          {"allocated_bytes", moment.allocated.n},
          {"reserved_bytes", moment.reserved.n}};
}

json alive_json(const live_summary& alive) {
  json by_tag = json::object();
  for (const tag each : all_tags) {
    const block_sum& sum = alive.by_tag[static_cast<std::size_t>(each)];
    by_tag[std::string(name_of(each))] = {{"blocks", sum.blocks},
                                          {"allocated_bytes", sum.allocated.n}};
  }
  json largest = json::array();
  for (const traced_block& block : alive.largest) {
    largest.push_back({{"id", block.id},
                       {"event", block.since},
                       {"tag", name_of(block.what)},
                       {"requested_bytes", block.held.requested.n},
                       {"allocated_bytes", block.held.size.n}});
  }
  return {{"blocks", alive.all.blocks}, {"by_tag", by_tag}, {"largest", largest}};
}

json refusal_json(const std::optional<refused_request>& refused) {
  if (!refused) return nullptr;
  const memory_counters& held = refused->facts.counters;
  json cached = json::array();
  for (const cached_pool& pool : refused->cached) {
    cached.push_back({{"stream", pool.stream.n},
                      {"small", pool.small},
                      {"blocks", pool.blocks},
                      {"total_bytes", pool.total.n},
                      {"largest_bytes", pool.largest.n}});
  }
  return {{"event", refused->event},
          {"line", refused->line},
          {"stream", refused->stream.n},
          {"tag", name_of(refused->facts.what)},
          {"requested_bytes", refused->facts.requested.n},
          {"rounded_bytes", refused->facts.rounded.n},
          {"allocated_bytes", held.allocated.current.n},
          {"reserved_bytes", held.reserved.current.n},
          {"cached_bytes", (held.reserved.current - held.allocated.current).n},
          {"device_free_bytes", to_json(refused->facts.system_free)},
          {"cached", cached}};
}

json search_json(const std::optional<capacity_search>& search) {
  if (!search) return nullptr;
  json probes = json::array();
  for (const capacity_probe& probe : search->probes) {
    probes.push_back({{"capacity_bytes", probe.capacity.n}, {"fits", probe.fits}});
  }
  return {{"smallest_bytes", to_json(search->smallest())},
          {"step_bytes", search->step.n},
          {"lowest_possible_bytes", search->lowest_possible.n},
          {"largest_exception_bytes", to_json(search->exception())},
          {"tried", probes}};
}

json trial_json(const replay_trial& trial) {
  const replay_report& replayed = trial.replayed;
  return {{"settings", settings_json(trial.plan.settings)},
          {"fits", replayed.fits()},
          {"peaks_are_partial", !replayed.fits()},
          {"allocated_peak", moment_json(replayed.allocated_peak)},
          {"reserved_peak", moment_json(replayed.reserved_peak)},
          {"most_requested_bytes", replayed.most_requested.n},
          {"retries", replayed.retries},
          {"refusals", replayed.refusals},
          {"alive_at_allocated_peak", alive_json(replayed.at_allocated_peak)},
          {"first_refusal", refusal_json(replayed.first_refusal)},
          {"capacity_search", search_json(trial.search)}};
}

}  // namespace

std::string replay_json(const replay_answer& answer) {
  const tool_record tool = this_tool();
  json others = json::array();
  for (const replay_trial& trial : answer.others) others.push_back(trial_json(trial));
  const json document = {
      {"schema", "headroom-replay/1"},
      {"tool", {{"name", "headroom"}, {"version", tool.version}}},
      {"prediction", true},
      {"trace",
       {{"name", answer.trace},
        {"events", answer.asked.replayed.events},
        {"allocations", answer.asked.replayed.allocations}}},
      {"device",
       {{"id", answer.asked.plan.device}, {"capacity_bytes", answer.asked.plan.capacity.n}}},
      {"asked", trial_json(answer.asked)},
      {"others", others}};
  // A file's name may not be UTF-8: it is shown, never lost.
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace headroom
