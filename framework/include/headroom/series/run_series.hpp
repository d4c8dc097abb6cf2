// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <headroom/core/budget.hpp>
#include <headroom/device/device.hpp>
#include <headroom/series/series_record.hpp>
#include <headroom/series/workload.hpp>
#include <span>
#include <string>

namespace headroom {

struct series_options {
  headroom::protocol protocol;
  std::string test;  ///< name of the test that asked; "" outside of a test
  std::function<void(const phase_record&)> on_phase_end;
};

/// Probes the meter, then runs the phases touch (where the protocol asks for it), model_load,
/// inputs, cold_X, warmup, warm_X and those that the workload adds, X being the workload's pass
/// name. Never throws what the workload throws: a failure is part of the record, with the phases
/// that did not run any more.
/// @throws usage_error when there is no device, or the protocol has no repeat
[[nodiscard]] series_record run_series(std::span<device* const> devices, workload& work,
                                       const series_options& options);
[[nodiscard]] series_record run_series(device& on, workload& work, const series_options& options);

}  // namespace headroom
