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

}  // namespace headroom
