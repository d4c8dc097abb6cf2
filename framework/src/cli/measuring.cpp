// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "measuring.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <headroom/core/error.hpp>
#include <headroom/report/words.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/run_series.hpp>

#include "workload_options.hpp"

namespace headroom::cli {
namespace {

/// The budget with the sizes that run in place of its own.
budget with_sizes(const budget& against, const workload_description& work) {
  budget local = against;
  local.workload.requested = work.requested;
  return local;
}

struct opened_request {
  std::vector<std::unique_ptr<device>> on;
  std::unique_ptr<workload> work;
};

opened_request open_request(const program& of, const measure_request& request) {
  require_device(request.device);
  opened_request opened;
  opened.work = of.workloads.make(request.work);  // before a device is touched
  const device_request device = request_for(request.device, opened.work->device_count());
  require_device(device);
  opened.on = open_devices(device, request.allocator);
  return opened;
}

measured_request run_opened(const opened_request& opened, const measure_request& request,
                            const std::string& id,
                            const std::function<void(const phase_record&)>& on_phase_end) {
  series_options options;
  options.protocol = request.passes;
  options.on_phase_end = on_phase_end;
  measured_request done;
  done.series = run_series(pointers_to(opened.on), *opened.work, options);
  done.series.id = id;
  if (!request.against) {
    done.result = judge_without_budget(done.series);
    return done;
  }
  done.against =
      request.other_sizes ? with_sizes(*request.against, request.work) : *request.against;
  done.result = judge(done.series, *done.against);
  if (!(request.against->workload.requested == request.work.requested)) {
    done.result.warnings.push_back(fmt::format("the limits are those of {} for {}",
                                               request.against->file,
                                               request.against->workload.requested.text()));
  }
  return done;
}

}  // namespace

measured_request run_request(const program& of, const measure_request& request,
                             const std::function<void(const phase_record&)>& on_phase_end) {
  return run_opened(open_request(of, request), request, "", on_phase_end);
}

measured_request run_request_into(const program& of, const measure_request& request,
                                  std::filesystem::path& path,
                                  const std::function<void(const phase_record&)>& on_phase_end) {
  const opened_request opened = open_request(of, request);
  const std::string device = ids_of(opened.on);
  const budget* const against = request.against ? &*request.against : nullptr;
  artifact_file artifact = path.empty() ? artifact_file(artifact_folder(), "", device, against)
                                        : artifact_file::at(path, "", device, against);
  path = artifact.path();
  measured_request done = run_opened(opened, request, artifact.id(), on_phase_end);
  artifact.finish(done.series, done.result, done.against ? &*done.against : nullptr);
  return done;
}

std::vector<std::string> measure_arguments(const measure_request& request,
                                           const std::filesystem::path& artifact) {
  std::vector<std::string> arguments{"measure", "--quiet", "--device", request.device.text,
                                     "--output=" + artifact.string()};
  if (!request.allocator_text.empty()) {
    arguments.push_back("--allocator=" + request.allocator_text);
  }
  const auto add = [&](std::string_view name, int value) {
    arguments.push_back(fmt::format("--{}={}", name, value));
  };
  add("warmup", request.passes.warmup);
  add("repeats", request.passes.repeats);
  if (request.passes.empty_cache_between_repeats) {
    arguments.emplace_back("--empty-cache-between-repeats");
  }
  if (request.passes.touch) arguments.emplace_back("--touch");
  if (request.passes.processes > 1) {
    arguments.push_back(
        fmt::format("--process={}/{}", request.passes.process, request.passes.processes));
  }
  if (request.against) {
    arguments.push_back("--budget=" + request.against->file);
    if (request.other_sizes) arguments.emplace_back("--other-sizes");
  }
  const std::vector<std::string> work = workload_arguments(request.work);
  arguments.insert(arguments.end(), work.begin(), work.end());
  return arguments;
}

std::filesystem::path artifact_folder() {
  const char* const set = std::getenv("HEADROOM_ARTIFACT_DIR");
  if (set != nullptr && *set != '\0') return set;
  // Of headroom_add_budget_test, for where nobody says otherwise.
  const char* const by_default = std::getenv("HEADROOM_DEFAULT_ARTIFACT_DIR");
  return by_default != nullptr && *by_default != '\0' ? by_default : "headroom-artifacts";
}

void require_device(const device_request& request) {
  const device_availability there = find_device(request);
  if (!there.available) throw device_error(there.reason + "; nothing was measured");
}

exit_code exit_of(const verdict& result) {
  return static_cast<exit_code>(exit_code_of(result.outcome));
}

}  // namespace headroom::cli
