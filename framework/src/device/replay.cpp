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
  traced_block* add(std::uint64_t id) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    std::size_t at = home_of(id);
    for (; slots_[at].used; at = next(at)) {
      if (slots_[at].block.id == id) return nullptr;
    }
    ++count_;
    slots_[at].used = true;
    slots_[at].block.id = id;
    return &slots_[at].block;
  }

  /// Null when the id is not live.
  const traced_block* find(std::uint64_t id) const {
    const std::size_t at = place_of(id);
    return slots_[at].used ? &slots_[at].block : nullptr;
  }

  /// Takes the block out; nothing when the id is not live.
  std::optional<traced_block> take(std::uint64_t id) {
    std::size_t hole = place_of(id);
    if (!slots_[hole].used) return std::nullopt;
    const traced_block taken = slots_[hole].block;
    --count_;
    // Those behind move up, so that no search meets the hole before its id.
    for (std::size_t at = next(hole); slots_[at].used; at = next(at)) {
      const std::size_t home = home_of(slots_[at].block.id);
      if (((at - home) & mask()) < ((at - hole) & mask())) continue;
      slots_[hole].block = slots_[at].block;
      hole = at;
    }
    slots_[hole].used = false;
    return taken;
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (const slot& each : slots_) {
      if (each.used) visit(each.block);
    }
  }

 private:
  struct alignas(64) slot {
    traced_block block;
    bool used = false;
  };
  static_assert(sizeof(slot) == 64);

  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  /// Eight numbers in a row lie side by side: traces count up, and neighbours live and die
  /// together.
  [[nodiscard]] std::size_t home_of(std::uint64_t id) const {
    const std::uint64_t group = (id >> 3) * 0x9e3779b97f4a7c15U;
    return (group >> (64 - std::countr_zero(slots_.size())) & ~std::size_t{7}) | (id & 7);
  }
  /// Of the id, or of the end of the search for it.
  [[nodiscard]] std::size_t place_of(std::uint64_t id) const {
    std::size_t at = home_of(id);
    while (slots_[at].used && slots_[at].block.id != id) at = next(at);
    return at;
  }
  void grow() {
    std::vector<slot> old(slots_.size() * 2);
    old.swap(slots_);
    count_ = 0;
    for (const slot& each : old) {
      if (each.used) *add(each.block.id) = each.block;
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
  const auto not_live = [&]() -> usage_error {
    return usage_error(
        fmt::format("found block {}, which is not live: it was freed before, or never allocated; "
                    "write the number of a live block",
                    event.id));
  };
  switch (event.operation) {
    case trace_operation::allocate: {
      traced_block* const added = live_->add(event.id);
      if (added == nullptr) {
        throw usage_error(fmt::format(
            "found block {} allocated while it is live; write another number, or free it first",
            event.id));
      }
      added->since = events_;
      added->what = event.what;
      added->held = {nullptr, event.size, {}, nullptr};
      try {
        added->held = allocator_.allocate(event.size, event.stream, event.what);
      } catch (const out_of_memory& refusal) {
        step.refused = std::make_unique<out_of_memory_facts>(refusal.facts());
      }
      step.block = *added;
      break;
    }
    case trace_operation::free: {
      const std::optional<traced_block> taken = live_->take(event.id);
      if (!taken) throw not_live();
      step.block = *taken;
      allocator_.deallocate(taken->held);
      break;
    }
    case trace_operation::use: {
      const traced_block* const found = live_->find(event.id);
      if (found == nullptr) throw not_live();
      step.block = *found;
      allocator_.record_use(found->held, event.stream);
      break;
    }
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
  ++events_;
  return step;
}

std::vector<traced_block> replay::live() const {
  std::vector<traced_block> all;
  live_->for_each([&](const traced_block& block) { all.push_back(block); });
  return all;
}

std::string_view replay_heading() {
  return "# event op allocated allocated_peak reserved reserved_peak requested requested_peak "
         "active segments retries ooms place";
}

std::string replay_line(std::uint64_t index, const trace_event& event, const replay_step& step,
                        const caching_allocator& after) {
  std::string place = "-";
  if (step.refused) {
    place = "oom";
  } else if (event.operation == trace_operation::allocate) {
    if (const auto found = after.place_of(step.block.held)) {
      place = fmt::format("{}+{}", found->segment, found->offset.n);
    }
  }
  const caching_statistics now = after.statistics();
  const memory_counters& held = now.counters;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", index,
                     static_cast<char>(event.operation), held.allocated.current.n,
                     held.allocated.peak.n, held.reserved.current.n, held.reserved.peak.n,
                     held.requested.current.n, held.requested.peak.n, now.active.n, now.segments,
                     now.retries, now.refusals, place);
}

}  // namespace headroom
