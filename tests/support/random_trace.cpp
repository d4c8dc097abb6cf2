// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "support/random_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using headroom::trace_event;
using headroom::trace_operation;
constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

class trace_maker {
 public:
  explicit trace_maker(std::uint64_t seed) : random_(seed) {}

  live_trace make() {
    draw_settings();
    draw_habits();
    const auto count = static_cast<std::size_t>(spread(20, 6000));
    while (trace_.events.size() < count) step();
    if (chance(0.5)) {
      while (!live_.empty()) free_one();
      add({.operation = trace_operation::empty_cache,
           .id = 0,
           .stream = {},
           .size = {},
           .what = {}});
    }
    return trace_;
  }

 private:
  double real() { return std::uniform_real_distribution<>(0, 1)(random_); }
  bool chance(double of) { return real() < of; }
  std::int64_t whole(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  /// Each power of two between the bounds is as likely as another.
  std::int64_t spread(double low, double high) {
    return static_cast<std::int64_t>(low * std::pow(high / low, real()));
  }
  template <typename Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[whole(0, static_cast<std::int64_t>(values.size()) - 1)];
  }
  void add(const trace_event& event) { trace_.events.push_back(event); }
  void set(std::string name, std::string value) {
    trace_.settings.emplace_back(std::move(name), std::move(value));
  }

  std::string division_list() {
    std::string text;
    std::int64_t interval = one_of<std::int64_t>({1, 1, 2, 8, 64, 256});
    for (std::int64_t n = whole(1, 5); n > 0 && interval <= 65536; --n) {
      text += fmt::format("{}:{},", interval, one_of({0, 1, 2, 4, 8, 16, 32}));
      interval *= one_of({2, 2, 4, 16});
    }
    if (chance(0.7)) return fmt::format("[{}>:{}]", text, one_of({0, 1, 2, 4, 8, 64}));
    text.back() = ']';
    return "[" + text;
  }

  void draw_settings() {
    trace_.capacity = headroom::bytes{spread(2.0 * mebibyte, 4e10)};
    if (chance(0.3)) set("expandable_segments", "True");
    if (chance(0.35)) {
      split_ = chance(0.5) ? whole(20, 40) : spread(20, 2000);
      set("max_split_size_mb", fmt::format("{}", split_));
      if (chance(0.5)) set("max_non_split_rounding_mb", fmt::format("{}", spread(20, 500)));
    }
    if (chance(0.3)) {
      set("roundup_power2_divisions",
          chance(0.5) ? fmt::format("{}", one_of({1, 2, 4, 8, 16, 64, 1024})) : division_list());
    }
    if (chance(0.35)) {
      set("per_process_memory_fraction",
          chance(0.1) ? one_of<std::string>({"0", "1", "1.0"}) : fmt::format("{:.4f}", real()));
    }
    if (chance(0.35)) {
      set("garbage_collection_threshold", fmt::format("{:.4f}", 0.001 + 0.998 * real()));
    }
    std::shuffle(trace_.settings.begin(), trace_.settings.end(), random_);
  }

  void draw_habits() {
    streams_ = chance(0.4) ? 0 : static_cast<std::uint32_t>(whole(1, 4));
    largest_ = std::min(static_cast<double>(trace_.capacity.n) * 1.2, std::pow(10, 3 + 7 * real()));
    largest_ = std::max(largest_, 2048.0);
    aim_ = trace_.capacity.n / one_of({1, 1, 2, 4, 20});
    most_live_ = static_cast<std::size_t>(spread(2, 800));
    repeat_ = real();
    edges_ = chance(0.5) ? real() * 0.5 : 0;
    first_in_ = real();
    use_ = streams_ == 0 ? 0 : real() * 0.3;
    complete_ = streams_ == 0 ? 0 : real() * 0.1;
    empty_ = chance(0.5) ? 0 : real() * real() * 0.05;
    reset_ = 0.01;
  }

  std::int64_t edge() {
    const std::int64_t base = one_of<std::int64_t>(
        {512, 1024, mebibyte / 2, mebibyte, 2 * mebibyte, 10 * mebibyte, 20 * mebibyte,
         split_ * mebibyte, (split_ + 20) * mebibyte, std::int64_t{1} << whole(9, 34),
         512 * whole(1, 4096), mebibyte * whole(1, 64)});
    const std::int64_t near = one_of<std::int64_t>(
        {-mebibyte - 1, -mebibyte, -513, -512, -1, 0, 0, 1, 512, 513, mebibyte});
    return std::max<std::int64_t>(0, base + near);
  }

  std::int64_t draw_size() {
    if (!sizes_.empty() && chance(repeat_)) {
      return sizes_[static_cast<std::size_t>(
          whole(0, static_cast<std::int64_t>(sizes_.size()) - 1))];
    }
    std::int64_t size = chance(edges_) ? edge() : spread(1, largest_);
    if (chance(0.002)) size = 0;
    if (chance(0.001)) size = trace_.capacity.n + whole(-2, 2) * mebibyte;
    if (sizes_.size() < 200) sizes_.push_back(size);
    return std::max<std::int64_t>(0, size);
  }

  headroom::stream_id draw_stream() {
    return {static_cast<std::uint32_t>(whole(0, static_cast<std::int64_t>(streams_)))};
  }

  void allocate() {
    const std::int64_t size = draw_size();
    add({.operation = trace_operation::allocate,
         .id = next_id_,
         .stream = draw_stream(),
         .size = headroom::bytes{size},
         .what = headroom::tag::other});
    live_.push_back({next_id_++, size});
    held_ += size;
  }

  void free_one() {
    std::size_t at = live_.size() - 1;
    const double how = real();
    if (how < first_in_ / 2) {
      at = 0;
    } else if (how < 0.8) {
      at = static_cast<std::size_t>(whole(0, static_cast<std::int64_t>(live_.size()) - 1));
    }
    add({.operation = trace_operation::free,
         .id = live_[at].id,
         .stream = {},
         .size = {},
         .what = {}});
    held_ -= live_[at].size;
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void step() {
    const double what = real();
    if (what < use_) {
      if (live_.empty()) return;
      const auto at =
          static_cast<std::size_t>(whole(0, static_cast<std::int64_t>(live_.size()) - 1));
      add({.operation = trace_operation::use,
           .id = live_[at].id,
           .stream = draw_stream(),
           .size = {},
           .what = {}});
    } else if (what < use_ + complete_) {
      add({.operation = trace_operation::complete,
           .id = 0,
           .stream = draw_stream(),
           .size = {},
           .what = {}});
    } else if (what < use_ + complete_ + empty_) {
      add({.operation = trace_operation::empty_cache,
           .id = 0,
           .stream = {},
           .size = {},
           .what = {}});
    } else if (what < use_ + complete_ + empty_ + reset_) {
      add({.operation = trace_operation::reset_peaks,
           .id = 0,
           .stream = {},
           .size = {},
           .what = {}});
    } else if (chance(0.001)) {
      while (live_.size() > 2) free_one();
    } else {
      const bool full = held_ > aim_ || live_.size() > most_live_;
      if (live_.empty() || chance(full ? 0.45 : 0.6)) {
        allocate();
      } else {
        free_one();
      }
    }
  }

  struct live_block {
    std::uint64_t id;
    std::int64_t size;
  };

  std::mt19937_64 random_;
  live_trace trace_;
  std::int64_t split_ = 64;
  std::uint32_t streams_ = 0;
  double largest_ = 0;
  std::int64_t aim_ = 0;
  std::size_t most_live_ = 0;
  double repeat_ = 0;
  double edges_ = 0;
  double first_in_ = 0;
  double use_ = 0;
  double complete_ = 0;
  double empty_ = 0;
  double reset_ = 0;
  std::vector<std::int64_t> sizes_;
  std::vector<live_block> live_;
  std::int64_t held_ = 0;
  std::uint64_t next_id_ = 0;
};

}  // namespace

std::string live_trace::settings_text() const {
  std::string all;
  for (const auto& [name, value] : settings) {
    all += fmt::format("{}{}:{}", all.empty() ? "" : ",", name, value);
  }
  return all;
}

std::string live_trace::text() const {
  std::string all = fmt::format("headroom-trace 1\ncapacity {}\n", capacity.n);
  for (const auto& [name, value] : settings) all += fmt::format("setting {} {}\n", name, value);
  for (const trace_event& event : events) {
    const char letter = static_cast<char>(event.operation);
    switch (event.operation) {
      case trace_operation::allocate:
        all += fmt::format("{} {} {} {}\n", letter, event.id, event.stream.n, event.size.n);
        break;
      case trace_operation::free:
        all += fmt::format("{} {}\n", letter, event.id);
        break;
      case trace_operation::use:
        all += fmt::format("{} {} {}\n", letter, event.id, event.stream.n);
        break;
      case trace_operation::complete:
        all += fmt::format("{} {}\n", letter, event.stream.n);
        break;
      default:
        all += fmt::format("{}\n", letter);
    }
  }
  return all;
}

live_trace random_trace(std::uint64_t seed) { return trace_maker(seed).make(); }
