// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "support/allocator_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace headroom {
namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

std::int64_t up(std::int64_t size, std::int64_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}
std::int64_t segment_for(std::int64_t size) {
  if (size <= mebibyte) return 2 * mebibyte;
  return size < 10 * mebibyte ? 20 * mebibyte : up(size, 2 * mebibyte);
}

}  // namespace

allocator_model::allocator_model(bytes capacity, allocator_settings settings)
    : capacity_(capacity.n),
      settings_(settings),
      max_split_(settings.max_split_size ? settings.max_split_size->n
                                         : std::numeric_limits<std::int64_t>::max()) {
  if (settings.per_process_memory_fraction.value_or(1) != 1) {
    const double share = *settings.per_process_memory_fraction * static_cast<double>(capacity_);
    allowed_ = static_cast<double>(static_cast<std::int64_t>(share));
  }
}

std::int64_t allocator_model::rounded(std::int64_t size) const {
  std::size_t interval = 0;
  while (interval < 15 && size >> (interval + 21) > 0) ++interval;
  const auto divisions = static_cast<std::int64_t>(settings_.roundup_power2_divisions[interval]);
  if (divisions > 1 && size > 512 * divisions) {
    std::int64_t power = 1;
    while (power * 2 <= size) power *= 2;
    return up(size, std::max<std::int64_t>(power / divisions, 1));
  }
  return up(size, 512);
}

std::int64_t allocator_model::sum(bool (*counts)(block_use)) const {
  std::int64_t total = 0;
  for (const run& each : runs_) {
    for (const piece& p : each.pieces) total += counts(p.use) ? p.size : 0;
  }
  return total;
}
std::int64_t allocator_model::reserved() const {
  return sum([](block_use use) { return use != block_use::unmapped; });
}

std::vector<allocator_model::position> allocator_model::cached(stream_id stream, bool small) {
  std::vector<position> all;
  for (auto in = runs_.begin(); in != runs_.end(); ++in) {
    if (in->stream != stream || in->small != small) continue;
    for (auto at = in->pieces.begin(); at != in->pieces.end(); ++at) {
      if (at->use == block_use::cached) all.push_back({in, at});
    }
  }
  // The runs are in the order of age, and their pieces in the order of offset.
  std::stable_sort(all.begin(), all.end(),
                   [](const position& a, const position& b) { return a.at->size < b.at->size; });
  return all;
}

std::int64_t allocator_model::reach(const position& of) const {
  const auto next = std::next(of.at);
  const bool grows = next != of.in->pieces.end() && next->use == block_use::unmapped;
  return of.at->size + (grows ? next->size : 0);
}

std::optional<allocator_model::position> allocator_model::best_fit(std::int64_t size,
                                                                   stream_id stream, bool small) {
  if (!small) ++searches_;
  std::optional<position> found;
  for (const position& each : cached(stream, small)) {
    if (each.at->size < size) continue;
    if (found && (!settings_.expandable_segments || reach(each) >= reach(*found))) break;
    found = each;
  }
  if (!found) return {};
  const std::int64_t got = found->at->size;
  const std::int64_t over =
      settings_.max_non_split_rounding ? settings_.max_non_split_rounding->n : 20 * mebibyte;
  if (size < max_split_ ? got >= max_split_ : got >= size + over) return {};
  return found;
}

std::optional<allocator_model::position> allocator_model::grow(std::int64_t size, stream_id stream,
                                                               bool small) {
  const std::int64_t wanted = segment_for(size);
  if (allowed_ && static_cast<double>(reserved() + wanted) > *allowed_) return {};
  if (settings_.expandable_segments) return stretch(size, stream, small);
  if (reserved() + wanted > capacity_) return {};
  runs_.push_back({next_ordinal_++, stream, small, 0, {}});
  runs_.back().pieces.push_back({});
  runs_.back().pieces.back().size = wanted;
  return position{std::prev(runs_.end()), runs_.back().pieces.begin()};
}

std::optional<allocator_model::position> allocator_model::allocate(const trace_event& event) {
  pass(false);
  const std::int64_t size = rounded(event.size.n);
  const bool small = size <= mebibyte;
  std::optional<position> found = best_fit(size, event.stream, small);
  if (!found) {
    collect();
    found = grow(size, event.stream, small);
    if (!found && give_back_oversize(size, event.stream, small)) {
      found = grow(size, event.stream, small);
    }
    if (!found) {
      give_back_all();
      ++retries_;
      found = grow(size, event.stream, small);
    }
  }
  if (!found) return {};
  const auto [in, at] = *found;
  const std::int64_t rest = at->size - size;
  const bool splits =
      small || settings_.expandable_segments ? rest >= 512 : size < max_split_ && rest > mebibyte;
  if (splits) {
    piece behind;
    behind.offset = at->offset + size;
    behind.size = rest;
    behind.cached_at = searches_;
    in->pieces.insert(std::next(at), behind);
    at->size = size;
  }
  at->use = block_use::live;
  at->requested = event.size.n;
  at->id = event.id;
  at->uses.clear();
  return found;
}

/// Joins neighbours that are both cached, or both without memory.
void allocator_model::merge(run& in) {
  for (auto at = in.pieces.begin(); std::next(at) != in.pieces.end();) {
    const auto next = std::next(at);
    const bool same =
        at->use == next->use && (at->use == block_use::cached || at->use == block_use::unmapped);
    if (!same) {
      ++at;
      continue;
    }
    at->size += next->size;
    at->cached_at = searches_;
    in.pieces.erase(next);
  }
}

void allocator_model::free(const position& at) {
  at.at->use = block_use::cached;
  at.at->cached_at = searches_;
  merge(*at.in);
}

/// Frees pending blocks whose streams have passed, or must pass now.
void allocator_model::pass(bool wait) {
  for (auto in = runs_.begin(); in != runs_.end(); ++in) {
    for (bool again = true; again;) {
      again = false;
      for (auto at = in->pieces.begin(); at != in->pieces.end(); ++at) {
        if (at->use != block_use::pending) continue;
        for (const auto& [stream, tick] : at->due) {
          if (wait) passed_[stream] = std::max(passed_[stream], tick);
          if (std::max(passed_[stream], all_passed_) >= tick) at->uses.erase(stream);
        }
        if (!at->uses.empty()) continue;
        free({in, at});
        again = true;  // merging may have taken the piece away
        break;
      }
    }
  }
}

allocator_model::position allocator_model::live(std::uint64_t id) {
  for (auto in = runs_.begin(); in != runs_.end(); ++in) {
    for (auto at = in->pieces.begin(); at != in->pieces.end(); ++at) {
      if (at->use == block_use::live && at->id == id) return {in, at};
    }
  }
  return {runs_.end(), {}};
}

std::string allocator_model::apply(std::uint64_t index, const trace_event& event) {
  std::string place = "-";
  switch (event.operation) {
    case trace_operation::allocate:
      if (event.size.n == 0) {
        gone_.insert(event.id);
      } else if (const auto got = allocate(event)) {
        place = fmt::format("{}+{}", got->in->ordinal, got->at->offset);
      } else {
        gone_.insert(event.id);
        ++refusals_;
        place = "oom";
      }
      break;
    case trace_operation::free: {
      if (gone_.erase(event.id) > 0) break;
      const position at = live(event.id);
      if (at.at->uses.empty()) {
        free(at);
        break;
      }
      at.at->use = block_use::pending;
      at.at->due.clear();
      for (const std::uint32_t stream : at.at->uses) at.at->due[stream] = ++tick_;
      break;
    }
    case trace_operation::use: {
      if (gone_.count(event.id) > 0) break;
      const position at = live(event.id);
      if (at.in->stream != event.stream) at.at->uses.insert(event.stream.n);
      break;
    }
    case trace_operation::complete:
      passed_[event.stream.n] = tick_;
      break;
    case trace_operation::empty_cache:
      give_back_all();
      break;
    case trace_operation::reset_peaks:
      allocated_peak_ = reserved_peak_ = requested_peak_ = 0;
      break;
  }
  return line(index, event, place);
}

std::string allocator_model::line(std::uint64_t index, const trace_event& event,
                                  const std::string& place) {
  const std::int64_t allocated = sum([](block_use use) { return use == block_use::live; });
  std::int64_t active = 0;
  std::int64_t requested = 0;
  long segments = 0;
  for (const run& each : runs_) {
    segments += each.page == 0 ? 1 : 0;
    for (const piece& p : each.pieces) {
      if (p.use != block_use::live && p.use != block_use::pending) continue;
      active += p.size;
      requested += p.requested;
    }
  }
  allocated_peak_ = std::max(allocated_peak_, allocated);
  reserved_peak_ = std::max(reserved_peak_, reserved());
  requested_peak_ = std::max(requested_peak_, requested);
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", index,
                     static_cast<char>(event.operation), allocated, allocated_peak_, reserved(),
                     reserved_peak_, requested, requested_peak_, active, segments, retries_,
                     refusals_, place);
}

std::vector<held_block> allocator_model::blocks() const {
  std::vector<held_block> all;
  for (const run& each : runs_) {
    for (const piece& p : each.pieces) {
      all.push_back(
          {{each.ordinal, bytes{p.offset}}, bytes{p.size}, p.use, each.stream, each.small});
    }
  }
  return all;
}

}  // namespace headroom
