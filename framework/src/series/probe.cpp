// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/series/probe.hpp>

namespace headroom {
namespace {

constexpr bytes probe_size = 3_MiB;  // more than a small-pool segment, so that a segment is taken

std::string text_of(const std::optional<bytes>& value) {
  return value ? format_bytes(*value) : "not measured";
}

void rule_on(probe_record& probe) {
  if (!probe.allocated_before || !probe.allocated_during || !probe.allocated_after) {
    probe.detail =
        fmt::format("{}: the source has no allocated counter to prove itself with", probe.device);
  } else if (*probe.allocated_during - *probe.allocated_before < probe.requested) {
    probe.detail =
        fmt::format("{}: a block of {} was allocated, and the allocated counter went from {} to {}",
                    probe.device, text_of(probe.requested), text_of(probe.allocated_before),
                    text_of(probe.allocated_during));
  } else if (*probe.allocated_after != *probe.allocated_before) {
    probe.detail =
        fmt::format("{}: the block was given back, and the allocated counter reads {}, not {}",
                    probe.device, text_of(probe.allocated_after), text_of(probe.allocated_before));
  } else if (probe.reserved_during && *probe.reserved_during < *probe.allocated_during) {
    probe.detail = fmt::format("{}: reserved reads {}, less than the allocated {}", probe.device,
                               text_of(probe.reserved_during), text_of(probe.allocated_during));
  } else {
    probe.passed = true;
  }
}

}  // namespace

probe_record probe_meter(device& on) {
  probe_record probe;
  probe.device = on.info().id;
  probe.requested = probe_size;
  try {
    on.synchronize();
    probe.allocated_before = on.counters().read()[counter_id::allocated_current];
    {
      const buffer block(on, probe_size, tag::other);
      const source_reading during = on.counters().read();
      probe.allocated_during = during[counter_id::allocated_current];
      probe.reserved_during = during[counter_id::reserved_current];
    }
    on.synchronize();
    probe.allocated_after = on.counters().read()[counter_id::allocated_current];
    probe.emptied = on.allocator().empty_cache();
    rule_on(probe);
  } catch (const std::exception& failure) {
    probe.detail = fmt::format("{}: {}", probe.device, failure.what());
  }
  return probe;
}

}  // namespace headroom
