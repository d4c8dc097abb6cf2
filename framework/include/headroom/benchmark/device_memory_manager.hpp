// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <headroom/device/counter_source.hpp>
#include <headroom/device/device.hpp>
#include <optional>

namespace headroom {

/// Lets Google Benchmark's own memory pass, which it runs after the timed one, read device memory:
/// register it with benchmark::RegisterMemoryManager, and its JSON has
///   max_bytes_used   the allocated peak of the pass, absolute: what was alive before counts
///   net_heap_growth  allocated bytes after the pass less those before
///   allocs_per_iter  blocks handed out; 0 where the source does not count them (counts_blocks),
///                    since Google Benchmark has no word for "not measured"
/// While the pass runs nobody else may reset the source's peaks.
class device_memory_manager : public ::benchmark::MemoryManager {
 public:
  /// @param on  must outlive the manager
  /// @throws usage_error when its counters lack allocated bytes or their peak, with the reason
  explicit device_memory_manager(device& on);
  /// Over any source. @param source  must outlive the manager
  /// @param finish_work  waits for the work that is queued; may be empty
  explicit device_memory_manager(counter_source& source, std::function<void()> finish_work = {});

  void Start() override;
  void Stop(Result& result) override;
  /// Google Benchmark 1.7 calls this one.
  void Stop(Result* result);

  /// Between Start and Stop: the benchmark that runs is not being timed.
  [[nodiscard]] bool in_memory_pass() const { return before_.has_value(); }
  [[nodiscard]] bool counts_blocks() const { return source_.read().allocations.has_value(); }

 private:
  counter_source& source_;
  std::function<void()> finish_work_;
  std::optional<source_reading> before_;
};

}  // namespace headroom
