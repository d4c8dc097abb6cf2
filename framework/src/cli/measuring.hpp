// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <functional>
#include <headroom/core/budget.hpp>
#include <headroom/series/open_device.hpp>
#include <headroom/series/series_record.hpp>
#include <headroom/series/verdict.hpp>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

namespace headroom::cli {

/// One series that is to be run.
struct measure_request {
  device_request device;
  allocator_choice allocator;
  std::string allocator_text;  ///< as written; "" for the defaults
  workload_description work;
  protocol passes;
  std::optional<budget> against;
  bool other_sizes = false;  ///< the budget's limits hold for sizes that are not the budget's
};

/// What became of it.
struct measured_request {
  series_record series;
  verdict result;
  std::optional<budget> against;  ///< with the sizes that ran
};

/// Runs the series on a newly opened device and judges it.
/// @throws device_error when the device is not there; usage_error for what the workload refuses
[[nodiscard]] measured_request run_request(
    const program& of, const measure_request& request,
    const std::function<void(const phase_record&)>& on_phase_end = {});

/// As run_request, with the artifact in a file. @param path  the artifact; where it is empty, a new
/// name in the artifact folder is chosen and set. @throws output_error, too, before anything runs
[[nodiscard]] measured_request run_request_into(
    const program& of, const measure_request& request, std::filesystem::path& path,
    const std::function<void(const phase_record&)>& on_phase_end = {});

/// Arguments of the command `measure` that do the same in a fresh process.
[[nodiscard]] std::vector<std::string> measure_arguments(const measure_request& request,
                                                         const std::filesystem::path& artifact);

/// HEADROOM_ARTIFACT_DIR, or headroom-artifacts in the current folder.
[[nodiscard]] std::filesystem::path artifact_folder();

/// @throws device_error with what is missing
void require_device(const device_request& request);

/// A series without a budget is within it when it ran whole: nothing was asked of it.
[[nodiscard]] exit_code exit_of(const verdict& result);

}  // namespace headroom::cli
