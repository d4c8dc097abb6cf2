// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/caching_allocator.hpp>
#include <headroom/device/trace_reader.hpp>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headroom {

/// The rules of the caching allocator written down as plainly as can be: lists that are walked from
/// end to end, nothing kept that can be counted. Slow; the allocator is compared with it.
class allocator_model {
 public:
  allocator_model(bytes capacity, allocator_settings settings);

  /// The event's line, as headroom::replay_line has it. Requests are below 1 EiB.
  std::string apply(std::uint64_t index, const trace_event& event);
  [[nodiscard]] std::vector<held_block> blocks() const;

 private:
  struct piece {
    std::int64_t offset = 0;
    std::int64_t size = 0;
    block_use use = block_use::cached;
    std::int64_t requested = 0;
    std::uint64_t id = 0;               ///< of a live block
    std::set<std::uint32_t> uses;       ///< live: other streams; pending: those not passed
    std::map<std::uint32_t, long> due;  ///< pending: the tick each of them has to pass
    long cached_at = 0;
  };
  struct run {
    std::uint64_t ordinal = 0;
    stream_id stream;
    bool small = false;
    std::int64_t page = 0;  ///< of an expandable segment
    std::list<piece> pieces;
  };
  using runs = std::list<run>;
  struct position {
    runs::iterator in;
    std::list<piece>::iterator at;
  };

  [[nodiscard]] std::int64_t rounded(std::int64_t size) const;
  [[nodiscard]] std::int64_t sum(bool (*counts)(block_use)) const;
  [[nodiscard]] std::int64_t reserved() const;
  [[nodiscard]] std::int64_t reach(const position& of) const;
  [[nodiscard]] std::vector<position> cached(stream_id stream, bool small);
  [[nodiscard]] position live(std::uint64_t id);
  std::optional<position> allocate(const trace_event& event);
  std::optional<position> best_fit(std::int64_t size, stream_id stream, bool small);
  std::optional<position> grow(std::int64_t size, stream_id stream, bool small);
  std::optional<position> stretch(std::int64_t size, stream_id stream, bool small);
  bool map(run& in, std::list<piece>::iterator hole, std::int64_t size);
  void free(const position& at);
  void pass(bool wait);
  void merge(run& in);
  void collect();
  bool give_back_oversize(std::int64_t size, stream_id stream, bool small);
  void give_back(runs::iterator which);
  void give_back_all();
  std::string line(std::uint64_t index, const trace_event& event, const std::string& place);

  std::int64_t capacity_;
  allocator_settings settings_;
  std::int64_t max_split_;
  std::optional<double> allowed_;
  runs runs_;
  std::set<std::uint64_t> gone_;  ///< ids that got no block
  std::map<std::uint32_t, long> passed_;
  long all_passed_ = -1;  ///< by every stream
  long tick_ = 0;
  long searches_ = 0;
  std::uint64_t next_ordinal_ = 0;
  std::int64_t allocated_peak_ = 0;
  std::int64_t reserved_peak_ = 0;
  std::int64_t requested_peak_ = 0;
  long retries_ = 0;
  long refusals_ = 0;
};

}  // namespace headroom
