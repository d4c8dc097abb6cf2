// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/error.hpp>
#include <headroom/device/caching_allocator.hpp>
#include <headroom/device/ticket_clock.hpp>
#include <headroom/device/trace_reader.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// A block of a trace.
struct traced_block {
  std::uint64_t id = 0;
  std::uint64_t since = 0;  ///< the event that allocated it, from 0
  allocation held;          ///< null for a request that failed or was of zero bytes
  tag what = tag::other;
};

/// What one event did.
struct replay_step {
  traced_block block;  ///< of allocate, free and use; of a free as it was
  /// Of a request that failed, else null. On the heap: a step is made for every event.
  std::unique_ptr<const out_of_memory_facts> refused;
};

/// Runs the events of a trace through an allocator. Memory follows the blocks that are live.
class replay {
 public:
  /// @param allocator  works on `clock`; both must outlive the replay
  replay(caching_allocator& allocator, ticket_clock& clock);
  ~replay();
  replay(const replay&) = delete;
  replay& operator=(const replay&) = delete;

  /// @throws usage_error for an id that is live already, or not live; the allocator is unchanged
  replay_step apply(const trace_event& event);

  /// How many events were applied.
  [[nodiscard]] std::uint64_t events() const { return events_; }
  /// The blocks that are live, in no order.
  [[nodiscard]] std::vector<traced_block> live() const;

 private:
  class live_blocks;
  caching_allocator& allocator_;
  ticket_clock& clock_;
  std::unique_ptr<live_blocks> live_;
  std::uint64_t events_ = 0;
};

/// One event's line: "INDEX OPERATION allocated allocated_peak reserved reserved_peak requested
/// requested_peak active segments retries refusals PLACE". PLACE is SEGMENT+OFFSET of a block that
/// was handed out, "oom" for a request that failed, else "-".
/// @param after the allocator, as the event left it
[[nodiscard]] std::string replay_line(std::uint64_t index, const trace_event& event,
                                      const replay_step& step, const caching_allocator& after);
/// The line above those, with the columns' names.
[[nodiscard]] std::string_view replay_heading();

/// Replays a trace to its end, or until visit(event, step), called after every event, is false.
/// @throws trace_error, also for ids that do not fit together
template <typename Visit>
void replay_while(trace_reader& reader, replay& run, Visit visit) {
  while (const std::optional<trace_event> event = reader.next()) {
    replay_step step;
    try {
      step = run.apply(*event);
    } catch (const usage_error& fault) {
      reader.fail(fault.what());
    }
    if (!visit(*event, step)) return;
  }
}

/// Replays a whole trace. @param visit called as visit(event, step) after every event
/// @throws trace_error, also for ids that do not fit together
template <typename Visit>
void replay_all(trace_reader& reader, caching_allocator& allocator, ticket_clock& clock,
                Visit visit) {
  replay run(allocator, clock);
  replay_while(reader, run, [&](const trace_event& event, const replay_step& step) {
    visit(event, step);
    return true;
  });
}

}  // namespace headroom
