// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/benchmark/device_memory_manager.hpp>
#include <headroom/core/error.hpp>
#include <utility>

namespace headroom {
namespace {

void require(const source_description& source, counter_id counter) {
  if (source[counter].available) return;
  throw usage_error(
      fmt::format("device_memory_manager: the source \"{}\" has no {}: {}; Google Benchmark would "
                  "show 0 for it. Use a source that has it, or register no memory manager",
                  source.name, words_of(counter), source[counter].covers));
}

}  // namespace

device_memory_manager::device_memory_manager(device& on)
    : device_memory_manager(on.counters(), [&on] { on.synchronize(); }) {}

device_memory_manager::device_memory_manager(counter_source& source,
                                             std::function<void()> finish_work)
    : source_(source), finish_work_(std::move(finish_work)) {
  const source_description description = source.describe_counters();
  require(description, counter_id::allocated_current);
  require(description, counter_id::allocated_peak);
}

void device_memory_manager::Start() {
  if (finish_work_) finish_work_();
  source_.reset_peaks();
  before_ = source_.read();
}

void device_memory_manager::Stop(Result& result) {
  if (finish_work_) finish_work_();
  const source_reading after = source_.read();
  const source_reading before = before_.value_or(after);
  before_.reset();
  const auto at = [](const source_reading& reading, counter_id counter) {
    return reading[counter].value_or(bytes{});  // there, as the constructor saw to
  };
  result.max_bytes_used = at(after, counter_id::allocated_peak).n;
  result.net_heap_growth =
      (at(after, counter_id::allocated_current) - at(before, counter_id::allocated_current)).n;
  if (after.allocations && before.allocations) {
    result.num_allocs = *after.allocations - *before.allocations;
  }
}

void device_memory_manager::Stop(Result* result) { Stop(*result); }

}  // namespace headroom
