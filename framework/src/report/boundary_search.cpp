// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <headroom/report/boundary_search.hpp>

namespace headroom {
namespace {

constexpr int neighbours = 2;
constexpr int most_between = 6;  // further values on each side of the border

class searcher {
 public:
  searcher(std::int64_t from, std::int64_t to, const std::function<bool(std::int64_t)>& fits)
      : from_(from), to_(to), fits_(fits) {}

  boundary_search run() {
    const bool first = try_at(from_);
    const bool last = try_at(to_);
    if (first == last) {
      look_between(from_, to_);
      return std::move(found_);
    }
    // Where the ends are the other way round, the same steps find that border.
    std::int64_t low = from_;
    std::int64_t high = to_;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (try_at(middle) == first ? low : high) = middle;
    }
    for (int i = 1; i <= neighbours; ++i) {
      try_at(low - i);
      try_at(high + i);
    }
    look_between(from_, low);
    look_between(high, to_);
    return std::move(found_);
  }

 private:
  /// Halves the distance to the lower end again and again.
  void look_between(std::int64_t low, std::int64_t high) {
    std::int64_t distance = high - low;
    for (int i = 0; i < most_between && distance > 1; ++i) {
      distance /= 2;
      try_at(low + distance);
    }
  }

  bool try_at(std::int64_t value) {
    if (value < from_ || value > to_) return false;
    const auto place = [&] {
      return std::lower_bound(
          found_.probes.begin(), found_.probes.end(), value,
          [](const boundary_probe& probe, std::int64_t other) { return probe.value < other; });
    };
    if (const auto known = place(); known != found_.probes.end() && known->value == value) {
      return known->fits;
    }
    const bool fits = fits_(value);
    return found_.probes.insert(place(), {value, fits})->fits;
  }

  std::int64_t from_;
  std::int64_t to_;
  const std::function<bool(std::int64_t)>& fits_;
  boundary_search found_;
};

}  // namespace

std::optional<std::int64_t> boundary_search::largest_that_fits() const {
  const auto last =
      std::find_if(probes.rbegin(), probes.rend(), [](const auto& probe) { return probe.fits; });
  if (last == probes.rend()) return std::nullopt;
  return last->value;
}

std::optional<std::int64_t> boundary_search::smallest_that_fails() const {
  const auto first =
      std::find_if(probes.begin(), probes.end(), [](const auto& probe) { return !probe.fits; });
  if (first == probes.end()) return std::nullopt;
  return first->value;
}

bool boundary_search::monotonic() const {
  const auto fits = largest_that_fits();
  const auto fails = smallest_that_fails();
  return !fits || !fails || *fits < *fails;
}

boundary_search find_boundary(std::int64_t from, std::int64_t to,
                              const std::function<bool(std::int64_t)>& fits) {
  return searcher(from, to, fits).run();
}

}  // namespace headroom
