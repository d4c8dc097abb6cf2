// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <headroom/report/capacity_search.hpp>

namespace headroom {
namespace {

constexpr int capacity_neighbours = 2;

class capacity_searcher {
 public:
  capacity_searcher(const capacity_range& range, bytes step, const std::function<bool(bytes)>& fits)
      : range_(range), fits_(fits) {
    found_.step = step;
    found_.lowest_possible = range.lowest_possible;
  }

  capacity_search run() {
    const std::int64_t lowest = std::max<std::int64_t>(1, steps_up(range_.lowest_possible));
    std::int64_t high = std::max(lowest, std::min(steps_up(range_.guess), most_steps()));
    std::int64_t low = lowest - 1;
    while (!try_at(high)) {
      low = high;
      if (high >= most_steps()) return std::move(found_);
      high = std::min(2 * high, most_steps());
    }
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (try_at(middle) ? high : low) = middle;
    }
    for (int i = 1; i <= capacity_neighbours; ++i) try_at(high + i);
    // Where less fits after all, its own neighbours are looked at.
    for (std::int64_t border = 0; border != smallest_steps();) {
      border = smallest_steps();
      for (int i = 1; i <= capacity_neighbours; ++i) try_at(border - i);
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::int64_t steps_up(bytes size) const {
    return size.n / found_.step.n + (size.n % found_.step.n > 0 ? 1 : 0);
  }
  [[nodiscard]] std::int64_t smallest_steps() const { return found_.smallest()->n / found_.step.n; }
  [[nodiscard]] std::int64_t most_steps() const { return range_.most.n / found_.step.n; }

  /// False also outside of the range, where nothing is tried.
  bool try_at(std::int64_t steps) {
    if (steps < 1 || steps > most_steps()) return false;
    const bytes capacity = steps * found_.step;
    const auto at = std::lower_bound(
        found_.probes.begin(), found_.probes.end(), capacity,
        [](const capacity_probe& probe, bytes size) { return probe.capacity < size; });
    if (at != found_.probes.end() && at->capacity == capacity) return at->fits;
    return found_.probes.insert(at, {capacity, fits_(capacity)})->fits;
  }

  const capacity_range& range_;
  const std::function<bool(bytes)>& fits_;
  capacity_search found_;
};

}  // namespace

std::optional<bytes> capacity_search::smallest() const {
  const auto first = std::find_if(probes.begin(), probes.end(),
                                  [](const capacity_probe& probe) { return probe.fits; });
  if (first == probes.end()) return std::nullopt;
  return first->capacity;
}

std::optional<bytes> capacity_search::exception() const {
  const std::optional<bytes> border = smallest();
  const auto last = std::find_if(probes.rbegin(), probes.rend(),
                                 [](const capacity_probe& probe) { return !probe.fits; });
  if (!border || last == probes.rend() || last->capacity < *border) return std::nullopt;
  return last->capacity;
}

capacity_search find_smallest_capacity(const capacity_range& range, bytes step,
                                       const std::function<bool(bytes)>& fits) {
  return capacity_searcher(range, step, fits).run();
}

}  // namespace headroom
