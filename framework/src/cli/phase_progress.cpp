// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "phase_progress.hpp"

#include <fmt/format.h>

#include <headroom/report/series_report.hpp>
#include <headroom/report/words.hpp>

namespace headroom::cli {

void phase_progress::operator()(const phase_record& phase) const {
  if (phase.parent && !io_.terminal) return;
  std::string line = place_words(phase.name, phase.pass, phase.repeat, passes_);
  for (const device_reading& reading : phase.readings) {
    if (phase.readings.size() > 1) line += ", " + reading.device;
    line += fmt::format(": allocated {}, peak {}; reserved {}, peak {}",
                        size_words(reading.end[counter_id::allocated_current]),
                        size_words(reading.end[counter_id::allocated_peak]),
                        size_words(reading.end[counter_id::reserved_current]),
                        size_words(reading.end[counter_id::reserved_peak]));
  }
  if (phase.error) line += fmt::format(": {}", phase.error->message);
  if (io_.terminal) {
    shown_.say(printable(line));
  } else {
    io_.err << printable(line) << '\n' << std::flush;
  }
}

}  // namespace headroom::cli
