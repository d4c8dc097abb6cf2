// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/artifact.hpp>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

allocator_kind kind_of(const allocator_description& described) {
  for (const allocator_kind kind : {allocator_kind::caching, allocator_kind::plain}) {
    allocator_choice chosen;
    chosen.kind = kind;
    if (plan_device(1_GiB, chosen).allocator().describe().name == described.name) return kind;
  }
  return allocator_kind::cuda_async;
}

/// What of a stored series is not what was asked for; "" when it is.
std::string difference(const stored_artifact& stored, const measure_request& request) {
  const series_record& series = stored.series;
  const auto differs = [](std::string_view what, std::string_view is, std::string_view asked) {
    return fmt::format("{} {}, not {}", what, quoted_text(is), quoted_text(asked));
  };
  const workload_description& ran = series.workload;
  const workload_description& work = request.work;
  if (ran.name != work.name) return differs("workload", ran.name, work.name);
  if (ran.operation != work.operation) return differs("operation", ran.operation, work.operation);
  if (ran.revision != work.revision) return differs("revision", ran.revision, work.revision);
  if (ran.dtype != work.dtype) return differs("dtype", ran.dtype, work.dtype);
  if (!(ran.requested == work.requested)) {
    return differs("sizes", ran.requested.text(), work.requested.text());
  }
  if (!(ran == work)) return "another seed or other options";
  if (!(series.protocol == request.passes)) return "another protocol";
  const std::string id = request.device.kind == device_kind::cpu ? "cpu" : request.device.text;
  if (series.devices.size() != 1 || series.devices.front().info.id != id) {
    return series.devices.empty() ? std::string("no device")
                                  : differs("device", series.devices.front().info.id, id);
  }
  const bool sized = request.device.kind == device_kind::cpu && request.device.capacity;
  if (sized && series.devices.front().info.capacity != *request.device.capacity) {
    return "another capacity of the device";
  }
  // The names of allocators are theirs to choose; one of the same kind describes itself alike.
  const allocator_description& ran_with = series.devices.front().allocator;
  const allocator_kind asked = request.allocator.kind;
  if (kind_of(ran_with) != asked || (asked == allocator_kind::caching &&
                                     ran_with.settings != request.allocator.settings.entries())) {
    return "another allocator or other settings of it";
  }
  const std::string judged = stored.against ? stored.against->sha256 : "";
  if (judged != (request.against ? sha256_of(request.against->source) : "")) {
    return "another budget";
  }
  return "";
}

void keep(fresh_point& point, const measure_request& request) {
  point.stored = read_artifact(point.artifact);
  if (const std::string other = difference(*point.stored, request); !other.empty()) {
    throw output_error(fmt::format("{}: exists, and is of another series ({}); name another folder",
                                   point.artifact.string(), other));
  }
  point.kept = true;
  point.code = exit_of(point.stored->result);
}

}  // namespace

fresh_point run_point(const console& io, const measure_request& request, const fs::path& artifact) {
  fresh_point point;
  point.artifact = artifact;
  if (fs::exists(artifact)) {
    keep(point, request);
    return point;
  }
  std::error_code ignored;
  fs::remove(artifact_file::start_path_of(artifact), ignored);
  const process_end end = run_fresh(io, measure_arguments(request, artifact));
  point.message = end.message;
  while (!point.message.empty() && point.message.back() == '\n') point.message.pop_back();
  if (end.signal != 0) {
    point.interrupted = interrupt_guard::received() != 0;
    point.message = fmt::format("the process was ended by signal {}", end.signal);
    point.code = exit_code::workload_failed;
    return point;
  }
  point.code = static_cast<exit_code>(end.code);
  if (fs::exists(artifact)) point.stored = read_artifact(artifact);
  return point;
}

exit_code worse(exit_code a, exit_code b) {
  constexpr std::array order{exit_code::invalid_input, exit_code::no_output,
                             exit_code::no_device,     exit_code::workload_failed,
                             exit_code::unknown,       exit_code::exceeded,
                             exit_code::done};
  return *std::find_if(order.begin(), order.end(),
                       [&](exit_code each) { return each == a || each == b; });
}

}  // namespace headroom::cli
