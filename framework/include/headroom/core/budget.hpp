// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <headroom/core/counters.hpp>
#include <headroom/core/workload_description.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// How a figure came about. Every figure that a person reads says which.
enum class basis { computed, measured, assumed };
[[nodiscard]] std::string_view name_of(basis b);
[[nodiscard]] std::optional<basis> basis_from_name(std::string_view name);

/// Passes of one series: one cold pass, then `warmup` passes that are not judged, then `repeats`.
struct protocol {
  int warmup = 3;
  int repeats = 5;
  /// Cached memory is given back before each warmup and repeat: a series of its own kind, never
  /// compared with one that keeps its cache.
  bool empty_cache_between_repeats = false;
  /// Of several fresh processes, each with a series of its own, in place of repeats in one process.
  int process = 1;  ///< this one, from 1
  int processes = 1;
  /// What libraries and kernels take at their first use is there before the model is loaded: a
  /// series of its own kind.
  bool touch = false;
  friend bool operator==(const protocol&, const protocol&) = default;
};

/// Parameters of one storage format. Bytes are parameters x bits / 8, rounded up.
struct weight_group {
  std::string name;
  std::int64_t parameters = 0;
  int bits = 0;
  std::string compute;  ///< dtype in which the group is computed with
};

/// Documented bytes above the weights.
struct reserve_item {
  std::string name;
  bytes size;
  headroom::basis basis = basis::assumed;
  std::string why;
};

/// What one counter may read. Inclusive: equal passes. A limit is a bound or is waived with a
/// reason.
struct limit {
  std::optional<bytes> at_most;
  std::optional<bytes> at_least;
  bool at_most_is_envelope = false;   ///< at_most was written as "envelope"
  bool at_least_is_envelope = false;  ///< at_least was written as "envelope"
  std::optional<std::string> waived;  ///< the reason; then there are no bounds
  int line = 0;                       ///< where it is written; 0 when it does not come from a file
  std::string pointer;                ///< "/limits/allocated_peak"
};

/// Limits by counter; a counter without one is not judged here.
struct limit_set {
  std::array<std::optional<limit>, counter_count> by_counter;

  std::optional<limit>& operator[](counter_id id) {
    return by_counter[static_cast<std::size_t>(id)];
  }
  const std::optional<limit>& operator[](counter_id id) const {
    return by_counter[static_cast<std::size_t>(id)];
  }
};

/// Limits of one phase, worst of all its occurrences.
struct phase_limits {
  std::string phase;
  limit_set limits;
};

/// Reserve and limits that stand in place of the general ones on one device.
struct device_override {
  std::string device;  ///< device id or name
  std::optional<std::vector<reserve_item>> reserve;
  limit_set limits;  ///< counters without an entry keep the general limit, here and below
  limit_set cold_limits = {};
  limit_set warm_limits = {};
};

/// A supported device. minimum_headroom is judged on the capacity that a matching device declares.
struct configuration {
  std::string name;
  std::string device;  ///< device name or id that this configuration is for
  bytes capacity;      ///< nominal
  headroom::basis basis = basis::assumed;
  std::optional<bytes> minimum_headroom;
  int line = 0;
};

/// A call that an emulated card does not model, and that does no harm here.
struct accepted_call {
  std::string call;  ///< "cudaCreateTextureObject"
  std::string why;
};

/// One change of a limit, as `headroom update` writes it.
struct history_entry {
  std::string limit;  ///< JSON pointer of the limit, "/limits/allocated_peak"
  bytes from;
  bytes to;
  std::string reason;
  std::string date;
  std::string artifact_sha256;
  std::string device;
  std::string revision;
};

/// A budget file (`headroom-budget/1`) as a value. budget_file.hpp reads one.
struct budget {
  std::string name;
  std::string description;
  workload_description workload;
  headroom::protocol protocol;
  std::vector<weight_group> weights;
  std::vector<reserve_item> reserve;
  limit_set limits;       ///< judge the worst of the cold and warm passes
  limit_set cold_limits;  ///< the cold pass alone
  limit_set warm_limits;  ///< the warm passes alone
  std::vector<phase_limits> per_phase;
  std::vector<device_override> per_device;
  std::optional<bytes>
      steady_state_growth;    ///< absent: growth is not judged; a file without it means 0 B
  int steady_state_line = 0;  ///< where it is written
  std::vector<configuration> configurations;
  std::vector<accepted_call> accepted_calls;  ///< for `headroom run` on an emulated card
  std::vector<history_entry> history;

  std::string file;    ///< path it was read from, "" when made in code
  std::string source;  ///< the file's text, exactly as read

  [[nodiscard]] bytes weight_bytes() const;
  [[nodiscard]] bytes reserve_bytes() const;
  /// Weights plus the sum of the reserve: a planning figure, never an observed peak.
  /// @throws usage_error when a sum does not fit 64 bits
  [[nodiscard]] bytes envelope() const;
  /// The weakest basis among its parts: assumed, else measured, else computed.
  [[nodiscard]] headroom::basis envelope_basis() const;

  [[nodiscard]] bool accepts(std::string_view call) const;

  /// The budget with the overrides of a device applied, "envelope" limits included.
  [[nodiscard]] budget for_device(std::string_view id, std::string_view name) const;
};

/// Bytes of one group: parameters x bits / 8, rounded up. @throws usage_error when it does not fit
[[nodiscard]] bytes storage_bytes(const weight_group& group);

}  // namespace headroom
