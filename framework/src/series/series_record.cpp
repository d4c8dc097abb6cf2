// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <headroom/series/series_record.hpp>

namespace headroom {

bool series_record::prediction() const {
  return devices.empty() || std::any_of(devices.begin(), devices.end(),
                                        [](const auto& each) { return each.info.prediction(); });
}

const device_record* series_record::rehearsed_device() const {
  for (const device_record& each : devices) {
    if (each.rehearsed) return &each;
  }
  return nullptr;
}

const phase_record* series_record::failed_phase() const {
  for (const phase_record& phase : phases) {
    if (phase.error) return &phase;
  }
  return nullptr;
}

bool series_record::is_judged_pass(const phase_record& phase) const {
  return !phase.parent && (phase.pass == pass_kind::cold || phase.pass == pass_kind::warm);
}

std::vector<counter_spread> spreads_of(const series_record& series) {
  std::vector<counter_spread> spreads;
  for (const device_record& device : series.devices) {
    for (const counter_id counter : all_counters) {
      counter_spread spread{device.info.id, counter, std::nullopt, std::nullopt};
      bool missing = false;
      for (const phase_record& phase : series.phases) {
        if (phase.parent || phase.pass != pass_kind::warm) continue;
        for (const device_reading& reading : phase.readings) {
          if (reading.device != device.info.id) continue;
          const std::optional<bytes> value = reading.end[counter];
          missing = missing || !value;
          if (!value) continue;
          if (!spread.lowest || *value < *spread.lowest) spread.lowest = value;
          if (!spread.highest || *spread.highest < *value) spread.highest = value;
        }
      }
      if (missing) spread.lowest = spread.highest = std::nullopt;
      spreads.push_back(std::move(spread));
    }
  }
  return spreads;
}

}  // namespace headroom
