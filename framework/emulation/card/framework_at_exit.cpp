// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "framework_at_exit.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "card.hpp"
#include "framework_statistics.hpp"
#include "json_text.hpp"
#include "run_channel.hpp"
#include "run_phases.hpp"

namespace headroom::emulation {
namespace {

/// Figures that cannot be are those of a layout that is not known here.
bool possible(const allocator_levels& read, const device_memory& memory) {
  return read.allocated >= 0 && read.allocated <= read.allocated_peak &&
         read.allocated_peak <= read.reserved_peak && read.reserved >= 0 &&
         read.reserved <= read.reserved_peak &&
         read.reserved_peak <= static_cast<std::int64_t>(memory.peak());
}

void tell_framework() {
  const card* const all = card::existing();
  if (all == nullptr || all->run == nullptr || all->process != getpid()) return;
  if (framework_reader_was_set()) return;  // it has told more
  std::optional<framework_statistics> read;
  try {
    read = read_framework_statistics(all->visible);
  } catch (...) {  // the library's own errors, of classes not known here
    return;
  }
  if (!read) return;
  std::string devices;
  for (const allocator_levels& each : read->devices) {
    const device& on = *all->devices[static_cast<std::size_t>(each.device)];
    if (!possible(each, on.memory)) return;
    if (each.reserved_peak == 0) continue;
    devices += (devices.empty() ? "{" : ", {") + ("\"device\": " + std::to_string(on.place)) +
               json_member("allocated_bytes", each.allocated) +
               json_member("allocated_peak_bytes", each.allocated_peak) +
               json_member("reserved_bytes", each.reserved) +
               json_member("reserved_peak_bytes", each.reserved_peak) + "}";
  }
  const char* const settings = std::getenv("PYTORCH_ALLOC_CONF");
  const char* const older = std::getenv("PYTORCH_CUDA_ALLOC_CONF");
  tell_run("{\"event\": \"framework\", \"process\": " + std::to_string(getpid()) +
           ", \"name\": \"pytorch\", \"at_exit\": true, \"allocator\": " +
           json_string(read->allocator) + ", \"settings\": " +
           json_string(settings != nullptr ? settings
                       : older != nullptr  ? older
                                           : "") +
           ", \"devices\": [" + devices + "], \"weights\": []}");
}

}  // namespace

void tell_framework_at_exit() { std::atexit(tell_framework); }

}  // namespace headroom::emulation
