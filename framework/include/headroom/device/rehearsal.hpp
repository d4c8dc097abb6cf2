// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// What can be refused: a request to the allocator, or the allocator's request to the driver.
enum class request_kind { allocation, segment };
[[nodiscard]] std::string_view name_of(request_kind kind);

/// Requests that are refused to rehearse out of memory, counted from 1.
struct rehearsed_refusal {
  request_kind what = request_kind::allocation;
  std::int64_t first = 1;
  std::optional<std::int64_t> last;  ///< inclusive; absent: all from `first` on
  friend bool operator==(const rehearsed_refusal&, const rehearsed_refusal&) = default;
};

/// "allocation:7" refuses the seventh allocation, "segment:3+" every segment from the third on,
/// "segment:3-5" three of them; several are separated by commas.
struct rehearsal_plan {
  std::vector<rehearsed_refusal> refusals;
  [[nodiscard]] bool empty() const { return refusals.empty(); }
  [[nodiscard]] std::string text() const;
  friend bool operator==(const rehearsal_plan&, const rehearsal_plan&) = default;
};

/// Empty text gives the empty plan. @throws usage_error with what was found and what to write
[[nodiscard]] rehearsal_plan parse_rehearsal(std::string_view text);

/// A rehearsal as it went, for the artifact. A series that was rehearsed is never a pass.
struct rehearsal_record {
  std::string plan;
  std::int64_t allocations = 0;  ///< asked for since it began; zero bytes are no request
  std::int64_t segments = 0;     ///< asked for since it began, parts of ranges included
  std::int64_t refused = 0;      ///< of both, because the plan says so
  friend bool operator==(const rehearsal_record&, const rehearsal_record&) = default;
};

/// Counts the requests of one device, and says which the plan refuses. Thread-safe.
class rehearsal {
 public:
  explicit rehearsal(rehearsal_plan plan) : plan_(std::move(plan)) {}

  /// Requests count from here on: the meter's own probe, which comes before, is not the workload's.
  void begin() { begun_ = true; }
  /// Counts a request. @return whether it is to be refused
  [[nodiscard]] bool refuses(request_kind what);
  [[nodiscard]] rehearsal_record record() const;

 private:
  rehearsal_plan plan_;
  std::atomic<bool> begun_ = false;
  std::array<std::atomic<std::int64_t>, 2> asked_{};  // by request_kind
  std::atomic<std::int64_t> refused_ = 0;
};

}  // namespace headroom
