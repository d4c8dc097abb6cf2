// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <headroom/core/tag.hpp>
#include <headroom/device/counter_source.hpp>
#include <headroom/device/device.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Which pass a phase belongs to. Only cold and warm passes are judged.
enum class pass_kind { setup, cold, warmup, warm, after };
[[nodiscard]] std::string_view name_of(pass_kind pass);
[[nodiscard]] std::optional<pass_kind> pass_from_name(std::string_view name);

enum class phase_status { ok, failed, not_run };
[[nodiscard]] std::string_view name_of(phase_status status);
[[nodiscard]] std::optional<phase_status> status_from_name(std::string_view name);

/// What stopped a phase.
struct phase_error {
  std::string kind;  ///< "out_of_memory", "device_error" or "workload_error"
  std::string message;
  std::optional<bytes> requested;  ///< of the refused request
  std::optional<tag> what;         ///< of the refused request
  std::string device;              ///< where it came up; "" when not known
  friend bool operator==(const phase_error&, const phase_error&) = default;
};

/// What accounts for the memory that this process took of a device.
enum class accounted_by {
  process,   ///< the system's figure of this process
  allocator  ///< what the allocator reserved; the system has no figure of the process
};
[[nodiscard]] std::string_view name_of(accounted_by by);

/// By how much the used memory of a device moved during a phase beyond what this process accounts
/// for. By the process's own figure that is another's activity; by the allocator's it may be this
/// process's as well, outside of the allocator (modules, libraries).
struct unaccounted_memory {
  bytes moved;
  accounted_by by = accounted_by::process;
  friend bool operator==(const unaccounted_memory&, const unaccounted_memory&) = default;
};

/// What of a device's used memory the allocator does not hold, at one moment: the context, modules,
/// what libraries take by themselves, and other processes. Negative where the system was read at
/// another moment. Absent where one of them was not read.
[[nodiscard]] std::optional<bytes> outside_allocator_of(const system_reading& system,
                                                        const std::optional<bytes>& reserved);

/// The counters of one device over one phase. After a failure: the last values that could be read.
struct device_reading {
  std::string device;  ///< device id
  std::optional<bytes> begin_allocated;
  std::optional<bytes> begin_reserved;
  source_reading end;  ///< levels at the end, peaks since the begin (absolute), the peak's moment
  system_reading system_begin;
  system_reading system;                          ///< at the end
  std::optional<bytes> outside_begin;             ///< outside the allocator; cuda devices only
  std::optional<bytes> outside;                   ///< the same at the end
  std::optional<unaccounted_memory> unaccounted;  ///< cuda devices only: a host is never quiet
};

/// From the readings; absent where they do not tell.
[[nodiscard]] std::optional<unaccounted_memory> unaccounted_of(const device_reading& reading);

struct phase_record {
  std::string name;
  pass_kind pass = pass_kind::setup;
  int repeat = 0;                     ///< from 1 within its pass; 0 outside of passes
  std::optional<std::string> parent;  ///< name of the enclosing phase
  phase_status status = phase_status::not_run;
  std::optional<double> seconds;  ///< boundary to boundary, of a memory pass
  std::optional<phase_error> error;
  std::vector<device_reading> readings;  ///< partial, never a requirement, when status is failed
};

}  // namespace headroom
