// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <bit>
#include <headroom/device/replay.hpp>
#include <utility>
#include <vector>

namespace headroom {

/// From the ids of live blocks to the blocks: open addressing, nothing allocated in steady state.
class replay::live_blocks {
 public:
  /// @return the place for a new id; null when the id is live
  allocation* add(std::uint64_t id) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    std::size_t at = home_of(id);
    for (; slots_[at].used; at = next(at)) {
      if (slots_[at].id == id) return nullptr;
    }
    slots_[at] = {id, true, {}};
    ++count_;
    return &slots_[at].block;
  }

  allocation* find(std::uint64_t id) {
    for (std::size_t at = home_of(id); slots_[at].used; at = next(at)) {
      if (slots_[at].id == id) return &slots_[at].block;
    }
    return nullptr;
  }

  /// @param found of the last find
  void remove(std::uint64_t id) {
    std::size_t hole = home_of(id);
    while (slots_[hole].id != id || !slots_[hole].used) hole = next(hole);
    slots_[hole].used = false;
    --count_;
    // Those behind move up, so that no search meets the hole before its id.
    for (std::size_t at = next(hole); slots_[at].used; at = next(at)) {
      const std::size_t home = home_of(slots_[at].id);
      if (((at - home) & mask()) < ((at - hole) & mask())) continue;
      slots_[hole] = std::exchange(slots_[at], {});
      hole = at;
    }
  }

 private:
  struct slot {
    std::uint64_t id = 0;
    bool used = false;
    allocation block;
  };

  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  [[nodiscard]] std::size_t home_of(std::uint64_t id) const {
    return (id * 0x9e3779b97f4a7c15U) >> (64 - std::countr_zero(slots_.size()));
  }
  void grow() {
    std::vector<slot> old(slots_.size() * 2);
    old.swap(slots_);
    count_ = 0;
    for (const slot& each : old) {
      if (each.used) *add(each.id) = each.block;
    }
  }

  std::vector<slot> slots_ = std::vector<slot>(64);
  std::size_t count_ = 0;
};

replay::replay(caching_allocator& allocator, ticket_clock& clock)
    : allocator_(allocator), clock_(clock), live_(std::make_unique<live_blocks>()) {}

replay::~replay() = default;

replay_step replay::apply(const trace_event& event) {
  replay_step step;
  const auto live = [&] {
    allocation* const found = live_->find(event.id);
    if (found != nullptr) return found;
    throw usage_error(fmt::format(
        "found block {}, which is not live: it was freed before, or never allocated; write the "
        "number of a live block",
        event.id));
  };
  switch (event.operation) {
    case trace_operation::allocate: {
      allocation* const added = live_->add(event.id);
      if (added == nullptr) {
        throw usage_error(fmt::format(
            "found block {} allocated while it is live; write another number, or free it first",
            event.id));
      }
      try {
        *added = allocator_.allocate(event.size, event.stream, event.what);
        step.place = allocator_.place_of(*added);
      } catch (const out_of_memory& refusal) {
        step.refused = refusal.facts();
      }
      break;
    }
    case trace_operation::free:
      allocator_.deallocate(*live());
      live_->remove(event.id);
      break;
    case trace_operation::use:
      allocator_.record_use(*live(), event.stream);
      break;
    case trace_operation::complete:
      clock_.complete(event.stream);
      break;
    case trace_operation::empty_cache:
      allocator_.empty_cache();
      break;
    case trace_operation::reset_peaks:
      allocator_.reset_peaks();
      break;
  }
  return step;
}

std::string replay_line(std::uint64_t index, const trace_event& event, const replay_step& step,
                        const caching_statistics& after) {
  std::string place = "-";
  if (step.refused) {
    place = "oom";
  } else if (step.place) {
    place = fmt::format("{}+{}", step.place->segment, step.place->offset.n);
  }
  const memory_counters& held = after.counters;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", index,
                     static_cast<char>(event.operation), held.allocated.current.n,
                     held.allocated.peak.n, held.reserved.current.n, held.reserved.peak.n,
                     held.requested.current.n, held.requested.peak.n, after.active.n,
                     after.segments, after.retries, after.refusals, place);
}

}  // namespace headroom
