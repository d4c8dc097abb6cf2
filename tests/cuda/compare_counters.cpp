// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// compare_counters ONE OTHER: every counter of two artifacts of one workload, phase by phase and
// device by device. Exit 0: none differs; 1: some do, which are printed; 3: they cannot be
// compared.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <headroom/series/artifact_reader.hpp>
#include <string>

namespace {

using namespace headroom;

struct comparison {
  int figures = 0;
  int differences = 0;

  void compare(const std::string& where, const std::string& what, const std::optional<bytes>& one,
               const std::optional<bytes>& other) {
    ++figures;
    if (one == other) return;
    if (++differences > 20) return;
    std::printf("%s %s: %s and %s\n", where.c_str(), what.c_str(), text(one).c_str(),
                text(other).c_str());
  }

 private:
  static std::string text(const std::optional<bytes>& size) {
    return size ? std::to_string(size->n) + " B" : "not measured";
  }
};

int refuse(const std::string& why) {
  std::printf("cannot be compared: %s\n", why.c_str());
  return 3;
}

void compare_readings(comparison& all, const std::string& where, const device_reading& one,
                      const device_reading& other) {
  all.compare(where, "allocated at begin", one.begin_allocated, other.begin_allocated);
  all.compare(where, "reserved at begin", one.begin_reserved, other.begin_reserved);
  for (const counter_id id : all_counters) {
    all.compare(where, std::string(name_of(id)), one.end[id], other.end[id]);
  }
  all.compare(where, "requested_peak", one.end.requested_peak, other.end.requested_peak);
}

int compare(const series_record& one, const series_record& other) {
  if (!(one.workload == other.workload)) return refuse("they ran different workloads");
  if (one.phases.size() != other.phases.size()) return refuse("they have not the same phases");
  comparison all;
  for (std::size_t i = 0; i < one.phases.size(); ++i) {
    const phase_record& phase = one.phases[i];
    const phase_record& beside = other.phases[i];
    const std::string where = phase.name + " " + std::to_string(phase.repeat);
    if (phase.name != beside.name || phase.status != beside.status) {
      return refuse(where + " and " + beside.name + " are not one phase, or ended differently");
    }
    if (phase.readings.size() != beside.readings.size()) {
      return refuse(where + ": readings of " + std::to_string(phase.readings.size()) + " and " +
                    std::to_string(beside.readings.size()) + " devices");
    }
    for (std::size_t device = 0; device < phase.readings.size(); ++device) {
      compare_readings(all, where + " " + phase.readings[device].device, phase.readings[device],
                       beside.readings[device]);
    }
  }
  std::printf("%d figures of %zu phases, %d differences\n", all.figures, one.phases.size(),
              all.differences);
  if (all.figures == 0) return refuse("there are no readings");
  return all.differences == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: compare_counters ONE OTHER\n");
    return 3;
  }
  try {
    return compare(read_artifact(arguments[1]).series, read_artifact(arguments[2]).series);
  } catch (const std::exception& fault) {
    return refuse(fault.what());
  }
}
