// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The model's rules for taking from the driver and giving back.
#include <algorithm>

#include "support/allocator_model.hpp"

namespace headroom {
namespace {

bool open(block_use use) { return use == block_use::cached || use == block_use::unmapped; }

}  // namespace

std::optional<allocator_model::position> allocator_model::stretch(std::int64_t size,
                                                                  stream_id stream, bool small) {
  // The first run of cached pieces and holes with room, at a hole or at the cached piece before it.
  for (auto in = runs_.begin(); in != runs_.end(); ++in) {
    if (in->stream != stream || in->small != small) continue;
    for (auto hole = in->pieces.begin(); hole != in->pieces.end(); ++hole) {
      if (hole->use != block_use::unmapped) continue;
      auto begin = hole;
      if (begin != in->pieces.begin() && open(std::prev(begin)->use)) --begin;
      std::int64_t room = 0;
      for (auto at = begin; at != in->pieces.end() && room < size && open(at->use); ++at) {
        room += at->size;
      }
      if (room < size) continue;
      const std::int64_t offset = begin->offset;
      while (true) {
        auto at = in->pieces.begin();
        while (at->offset + at->size <= offset) ++at;  // merging may have moved its begin
        if (at->use == block_use::cached && at->size >= size) return position{in, at};
        const std::int64_t got = at->use == block_use::cached ? at->size : 0;
        if (at->use == block_use::cached) ++at;
        if (!map(*in, at, std::min(size - got, at->size))) return {};
      }
    }
  }
  const std::int64_t page = std::int64_t{small ? 2 : 20} << 20;
  const std::int64_t range = (capacity_ + capacity_ / 8 + page - 1) / page * page;
  const std::uint64_t ordinal = next_ordinal_++;
  if (range < size) return {};
  runs_.push_back({ordinal, stream, small, page, {}});
  piece whole;
  whole.size = range;
  whole.use = block_use::unmapped;
  runs_.back().pieces.push_back(whole);
  return stretch(size, stream, small);
}

bool allocator_model::map(run& in, std::list<piece>::iterator hole, std::int64_t size) {
  const std::int64_t mapped = (size + in.page - 1) / in.page * in.page;
  if (reserved() + mapped > capacity_) return false;
  if (mapped < hole->size) {
    piece rest = *hole;
    rest.offset += mapped;
    rest.size -= mapped;
    in.pieces.insert(std::next(hole), rest);
    hole->size = mapped;
  }
  hole->use = block_use::cached;
  hole->cached_at = searches_;
  reserved_peak_ = std::max(reserved_peak_, reserved());
  merge(in);
  return true;
}

void allocator_model::collect() {
  if (!allowed_ || !settings_.garbage_collection_threshold) return;
  const auto limit = static_cast<std::int64_t>(*settings_.garbage_collection_threshold * *allowed_);
  const std::int64_t wanted = reserved() - limit;
  if (wanted <= 0) return;
  std::vector<runs::iterator> whole;
  for (auto in = runs_.begin(); in != runs_.end(); ++in) {
    if (!in->small && in->pieces.size() == 1 && in->pieces.front().use == block_use::cached) {
      whole.push_back(in);
    }
  }
  std::int64_t given = 0;
  for (bool progress = true; progress && given < wanted && !whole.empty();) {
    progress = false;
    double total = 0;
    for (const auto& each : whole) {
      total += static_cast<double>(searches_ - each->pieces.front().cached_at);
    }
    const double average = total / static_cast<double>(whole.size());
    std::erase_if(whole, [&](const runs::iterator& each) {
      const auto age = static_cast<double>(searches_ - each->pieces.front().cached_at);
      if (each->page != 0 || age < average) return false;
      progress = true;
      given += each->pieces.front().size;
      give_back(each);
      return true;
    });
  }
}

/// The driver waits for all work before it takes a segment: every stream has passed by then.
void allocator_model::give_back(runs::iterator which) {
  runs_.erase(which);
  all_passed_ = tick_;
}

bool allocator_model::give_back_oversize(std::int64_t size, stream_id stream, bool small) {
  if (!settings_.max_split_size) return false;
  const std::int64_t wanted = std::max(size, max_split_);
  const std::vector<position> all = cached(stream, small);
  const auto enough = std::find_if(all.begin(), all.end(),
                                   [&](const position& each) { return each.at->size >= wanted; });
  if (enough != all.end() && enough->in->page == 0) {
    give_back(enough->in);
    return true;
  }
  std::int64_t given = 0;
  for (auto each = std::make_reverse_iterator(enough);
       each != all.rend() && given < wanted && each->at->size >= max_split_; ++each) {
    if (each->in->page != 0) continue;
    given += each->at->size;
    give_back(each->in);
  }
  return given >= wanted;
}

void allocator_model::give_back_all() {
  pass(true);
  for (auto in = runs_.begin(); in != runs_.end();) {
    bool gone = in->page == 0 && in->pieces.size() == 1 && open(in->pieces.front().use);
    if (in->page != 0) {
      // Whole pages within cached pieces lose their memory.
      for (auto at = in->pieces.begin(); at != in->pieces.end(); ++at) {
        if (at->use != block_use::cached) continue;
        const std::int64_t begin = (at->offset + in->page - 1) / in->page * in->page;
        const std::int64_t end = (at->offset + at->size) / in->page * in->page;
        if (begin >= end) continue;
        const piece old = *at;
        if (begin > old.offset) {
          piece before = old;
          before.size = begin - old.offset;
          in->pieces.insert(at, before);
        }
        if (end < old.offset + old.size) {
          piece behind = old;
          behind.offset = end;
          behind.size = old.offset + old.size - end;
          in->pieces.insert(std::next(at), behind);
        }
        at->offset = begin;
        at->size = end - begin;
        at->use = block_use::unmapped;
        gone = true;  // should nothing else be left; a range that never had memory stays
      }
      merge(*in);
      gone = gone && in->pieces.size() == 1;
    }
    in = gone ? runs_.erase(in) : std::next(in);
  }
}

}  // namespace headroom
