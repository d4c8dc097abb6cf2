// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run_log.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::cli {
namespace {

std::optional<std::int64_t> number(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

std::string text(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<bytes> size(const nlohmann::json& object, const char* key) {
  const auto value = number(object, key);
  return value && *value >= 0 ? std::optional(bytes{*value}) : std::nullopt;
}

const nlohmann::json& list(const nlohmann::json& object, const char* key) {
  static const nlohmann::json none = nlohmann::json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : none;
}

int small(const nlohmann::json& object, const char* key) {
  return static_cast<int>(std::clamp<std::int64_t>(number(object, key).value_or(0), 0, 1 << 30));
}

std::vector<logged_levels> levels_of(const nlohmann::json& entries) {
  std::vector<logged_levels> all;
  for (const nlohmann::json& each : entries) {
    if (!each.is_object()) continue;
    logged_levels read;
    read.device = small(each, "device");
    read.begin_allocated = size(each, "begin_allocated_bytes");
    read.begin_reserved = size(each, "begin_reserved_bytes");
    read.allocated = size(each, "allocated_bytes");
    read.allocated_peak = size(each, "allocated_peak_bytes");
    read.reserved = size(each, "reserved_bytes");
    read.reserved_peak = size(each, "reserved_peak_bytes");
    read.requested = size(each, "requested_bytes");
    read.requested_peak = size(each, "requested_peak_bytes");
    read.context = size(each, "context_bytes");
    read.used = size(each, "used_bytes");
    read.retries = number(each, "retries");
    read.refusals = number(each, "refusals");
    all.push_back(read);
  }
  return all;
}

class log_reader {
 public:
  void read(const nlohmann::json& line) {
    const std::string kind = text(line, "event");
    const std::int64_t known_as = number(line, "process").value_or(0);
    if (kind == "process") ++times_[known_as];
    process_ = identity_of(known_as, std::max<std::int64_t>(times_[known_as] - 1, 0));
    if (kind == "process") return add_process(line);
    if (kind == "begin" || kind == "phase") return add_phase(line, kind == "phase");
    if (kind == "framework") return add_framework(line);
    if (kind == "end") return add_end(line);
    if (kind == "probe") return add_probe(line);
    if (kind == "refused" || kind == "framework_refused") {
      log_.refusals.push_back({process_, small(line, "device"),
                               size(line, "requested_bytes").value_or(bytes{0}),
                               small(line, "phase"), kind == "framework_refused"});
    } else if (kind == "unmodelled") {
      const unmodelled_call call{text(line, "library"), text(line, "call"),
                                 may_allocate(text(line, "call"))};
      if (std::find(log_.unmodelled.begin(), log_.unmodelled.end(), call) ==
          log_.unmodelled.end()) {
        log_.unmodelled.push_back(call);
      }
    } else if (kind == "gap") {
      add_once(log_.gaps, text(line, "what"));
    } else if (kind == "context") {
      process().contexts.push_back(small(line, "device"));
    } else if (kind == "emulated") {
      log_.emulated = true;
    } else if (kind == "fault") {
      add_once(log_.faults, text(line, "what"));
    } else if (kind == "exception") {
      logged_process& of = process();
      of.error = text(line, "message");
      of.out_of_memory = line.value("out_of_memory", nlohmann::json(false)) == nlohmann::json(true);
    }
  }

  run_log take() {
    std::stable_sort(
        log_.phases.begin(), log_.phases.end(), [&](const logged_phase& a, const logged_phase& b) {
          return std::pair(rank(a.process), a.number) < std::pair(rank(b.process), b.number);
        });
    return std::move(log_);
  }

 private:
  static void add_once(std::vector<std::string>& all, std::string what) {
    if (std::find(all.begin(), all.end(), what) == all.end()) all.push_back(std::move(what));
  }

  logged_process& process() {
    for (logged_process& each : log_.processes) {
      if (each.process == process_) return each;
    }
    logged_process& fresh = log_.processes.emplace_back();
    fresh.process = process_;
    return fresh;
  }

  [[nodiscard]] std::size_t rank(std::int64_t of) const {
    std::size_t at = 0;
    while (at < log_.processes.size() && log_.processes[at].process != of) ++at;
    return at;
  }

  void add_process(const nlohmann::json& line) {
    logged_process& fresh = process();
    fresh.parent = number(line, "parent").value_or(0);
    for (const nlohmann::json& word : list(line, "command")) {
      if (!word.is_string()) continue;
      fresh.command += (fresh.command.empty() ? "" : " ") + word.get<std::string>();
    }
  }

  void add_phase(const nlohmann::json& line, bool ended) {
    const int wanted = small(line, "phase");
    const auto [place, is_fresh] = places_.try_emplace({process_, wanted}, log_.phases.size());
    if (is_fresh) {
      logged_phase fresh;
      fresh.process = process_;
      fresh.number = wanted;
      fresh.parent = small(line, "parent");
      fresh.name = text(line, "name");
      fresh.by = text(line, "by");
      fresh.status = "killed";
      log_.phases.push_back(std::move(fresh));
    }
    if (!ended) return;
    logged_phase& known = log_.phases[place->second];
    known.status = text(line, "status");
    if (const auto time = number(line, "nanoseconds")) {
      known.seconds = static_cast<double>(*time) / 1e9;
    }
    known.driver = levels_of(list(line, "driver"));
    known.framework = levels_of(list(line, "framework"));
  }

  void add_framework(const nlohmann::json& line) {
    logged_framework read;
    read.name = text(line, "name");
    read.allocator = text(line, "allocator");
    read.settings = text(line, "settings");
    read.at_exit = line.value("at_exit", nlohmann::json(false)) == nlohmann::json(true);
    read.devices = levels_of(list(line, "devices"));
    for (const nlohmann::json& each : list(line, "weights")) {
      if (!each.is_object()) continue;
      const program_weights group{text(each, "dtype"), small(each, "bits"),
                                  number(each, "parameters").value_or(0)};
      if (group.bits > 0 && group.parameters > 0) read.weights.push_back(group);
    }
    process().framework = std::move(read);
  }

  void add_end(const nlohmann::json& line) {
    logged_process& of = process();
    of.ended = true;
    of.exit_code = small(line, "exit_code");
    of.unread_framework =
        line.value("caching_allocator", nlohmann::json(false)) == nlohmann::json(true);
    const auto report = line.find("report");
    if (report == line.end() || !report->is_object()) return;
    for (const nlohmann::json& kernel : list(*report, "kernels")) {
      if (kernel.is_object()) log_.kernels_left_out += number(kernel, "left_out").value_or(0);
    }
  }

  void add_probe(const nlohmann::json& line) {
    const auto asked = number(line, "requested_bytes");
    const auto before = number(line, "before_bytes");
    const auto during = number(line, "during_bytes");
    const auto after = number(line, "after_bytes");
    log_.meter_proven |=
        asked && before && during && after && *during - *before == *asked && *after == *before;
  }

  run_log log_;
  std::int64_t process_ = 0;                                    ///< that the line is of
  std::map<std::int64_t, std::int64_t> times_;                  ///< that a number began
  std::map<std::pair<std::int64_t, int>, std::size_t> places_;  ///< of phases, in the log
};

}  // namespace

const logged_process* run_log::find(std::int64_t identity) const {
  for (const logged_process& each : processes) {
    if (each.process == identity) return &each;
  }
  return nullptr;
}

run_log read_run_log(std::string_view text) {
  log_reader reader;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    const nlohmann::json line = nlohmann::json::parse(text.substr(at, end - at), nullptr, false);
    if (line.is_object()) reader.read(line);
    at = end + 1;
  }
  return reader.take();
}

}  // namespace headroom::cli
