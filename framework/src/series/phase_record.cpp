// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <array>
#include <headroom/series/phase_record.hpp>

namespace headroom {

std::string_view name_of(pass_kind pass) {
  switch (pass) {
    case pass_kind::setup:
      return "setup";
    case pass_kind::cold:
      return "cold";
    case pass_kind::warmup:
      return "warmup";
    case pass_kind::warm:
      return "warm";
    case pass_kind::after:
      return "after";
  }
  return "";
}

std::optional<pass_kind> pass_from_name(std::string_view name) {
  for (const pass_kind pass :
       {pass_kind::setup, pass_kind::cold, pass_kind::warmup, pass_kind::warm, pass_kind::after}) {
    if (name_of(pass) == name) return pass;
  }
  return std::nullopt;
}

std::string_view name_of(phase_status status) {
  switch (status) {
    case phase_status::ok:
      return "ok";
    case phase_status::failed:
      return "failed";
    case phase_status::not_run:
      return "not_run";
  }
  return "";
}

std::optional<phase_status> status_from_name(std::string_view name) {
  for (const phase_status status :
       {phase_status::ok, phase_status::failed, phase_status::not_run}) {
    if (name_of(status) == name) return status;
  }
  return std::nullopt;
}

std::string_view name_of(accounted_by by) {
  return by == accounted_by::process ? "process" : "allocator";
}

std::optional<bytes> outside_allocator_of(const system_reading& system,
                                          const std::optional<bytes>& reserved) {
  if (!system.free || !system.total || !reserved) return std::nullopt;
  bytes outside;
  // An artifact may hold any figures.
  if (!checked_add((*system.total - *system.free).n, -reserved->n, outside.n)) return std::nullopt;
  return outside;
}

std::optional<unaccounted_memory> unaccounted_of(const device_reading& reading) {
  const system_reading& begin = reading.system_begin;
  const system_reading& end = reading.system;
  if (!begin.free || !begin.total || !end.free || !end.total) return std::nullopt;
  unaccounted_memory result;
  std::optional<bytes> own_begin = begin.process;
  std::optional<bytes> own_end = end.process;
  if (!own_begin || !own_end) {
    result.by = accounted_by::allocator;
    own_begin = reading.begin_reserved;
    own_end = reading.end[counter_id::reserved_current];
  }
  if (!own_begin || !own_end) return std::nullopt;
  // An artifact may hold any figures.
  const std::int64_t used_begin = (*begin.total - *begin.free).n;
  const std::int64_t used_end = (*end.total - *end.free).n;
  std::int64_t used = 0;
  if (!checked_add(used_end, -used_begin, used)) return std::nullopt;
  if (!checked_add(used, -(*own_end - *own_begin).n, result.moved.n)) return std::nullopt;
  return result;
}

}  // namespace headroom
