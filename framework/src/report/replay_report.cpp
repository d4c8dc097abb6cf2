// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/ticket_clock.hpp>
#include <headroom/report/replay_report.hpp>
#include <limits>

namespace headroom {
namespace {

constexpr std::size_t most_blocks = 10;
constexpr auto most_bytes = std::uint64_t{std::numeric_limits<std::int64_t>::max()};

/// Knows, whenever it is asked, which blocks were alive at the last allocated peak, without a copy
/// at each new peak: they are those that are still live and those freed since.
class peak_holders {
 public:
  void peak_at(std::uint64_t event) {
    event_ = event;
    freed_since_.clear();
  }
  void freed(const traced_block& block) {
    if (block.since <= event_) freed_since_.push_back(block);
  }
  /// @param live the blocks that are live now
  [[nodiscard]] live_summary summary(const std::vector<traced_block>& live) {
    for (const traced_block& block : live) freed(block);
    live_summary result;
    std::erase_if(freed_since_, [](const traced_block& block) { return block.held.size.n == 0; });
    for (const traced_block& block : freed_since_) {
      for (block_sum* sum : {&result.all, &result.by_tag[static_cast<std::size_t>(block.what)]}) {
        ++sum->blocks;
        sum->allocated += block.held.size;
      }
    }
    result.largest.resize(std::min(most_blocks, freed_since_.size()));
    std::partial_sort_copy(freed_since_.begin(), freed_since_.end(), result.largest.begin(),
                           result.largest.end(), [](const traced_block& a, const traced_block& b) {
                             return a.held.size != b.held.size ? a.held.size > b.held.size
                                                               : a.since < b.since;
                           });
    return result;
  }

 private:
  std::uint64_t event_ = 0;
  std::vector<traced_block> freed_since_;
};

/// Unsigned: a sum beyond 64 bits wraps, and is then a lower bound still.
std::uint64_t requested_bytes(const traced_block& block) {
  return static_cast<std::uint64_t>(block.held.requested.n);
}

class replay_run {
 public:
  explicit replay_run(const replay_plan& plan)
      : source_(plan.capacity, plan.device), allocator_(source_, clock_, plan.settings) {}

  replay_report run(trace_reader& trace, const replay_watcher& watcher) {
    replay run(allocator_, clock_);
    replay_while(trace, run, [&](const trace_event& event, const replay_step& step) {
      account(event, step);
      if (step.refused) refuse(event, *step.refused, trace.line());
      ++report_.events;
      if (watcher) watcher(event, step, allocator_);
      return true;
    });
    report_.retries = allocator_.statistics().retries;
    report_.most_requested =
        bytes{static_cast<std::int64_t>(std::min(most_requested_, most_bytes))};
    report_.at_allocated_peak = holders_.summary(run.live());
    return std::move(report_);
  }

  bool fits(trace_reader& trace) {
    replay run(allocator_, clock_);
    bool all_granted = true;
    replay_while(trace, run, [&](const trace_event&, const replay_step& step) {
      all_granted = !step.refused;
      return all_granted;
    });
    return all_granted;
  }

 private:
  [[nodiscard]] bytes reserved() const { return source_.capacity() - *source_.free_now(); }

  /// The allocator's own count leaves out requests too large for any device.
  void refuse(const trace_event& event, const out_of_memory_facts& facts, int line) {
    ++report_.refusals;
    if (report_.first_refusal) return;
    report_.first_refusal = {report_.events, line, event.stream, facts, allocator_.cached()};
  }

  void account(const trace_event& event, const replay_step& step) {
    if (event.operation == trace_operation::allocate) {
      ++report_.allocations;
      requested_ += requested_bytes(step.block);
      most_requested_ = std::max(most_requested_, requested_);
      allocated_ += step.block.held.size;
      if (allocated_ > report_.allocated_peak.allocated) {
        report_.allocated_peak = {report_.events, allocated_, reserved()};
        holders_.peak_at(report_.events);
      }
      if (source_.most_held() > report_.reserved_peak.reserved) {
        report_.reserved_peak = {report_.events, allocated_, source_.most_held()};
      }
    } else if (event.operation == trace_operation::free) {
      requested_ -= requested_bytes(step.block);
      allocated_ -= step.block.held.size;
      holders_.freed(step.block);
    }
  }

  address_segments source_;
  ticket_clock clock_;
  caching_allocator allocator_;
  replay_report report_;
  peak_holders holders_;
  bytes allocated_;
  std::uint64_t requested_ = 0;
  std::uint64_t most_requested_ = 0;
};

}  // namespace

replay_report replay_trace(trace_reader& trace, const replay_plan& plan,
                           const replay_watcher& watcher) {
  return replay_run(plan).run(trace, watcher);
}

bool trace_fits(trace_reader& trace, const replay_plan& plan) {
  return replay_run(plan).fits(trace);
}

}  // namespace headroom
