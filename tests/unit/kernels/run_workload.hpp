// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/run_series.hpp>

namespace headroom::kernels::test {

inline series_record run(device& on, workload& work, protocol passes = {1, 2}) {
  series_options options;
  options.protocol = passes;
  return run_series(on, work, options);
}

/// What is held under a tag at the phase's peak.
inline bytes at_peak(const phase_record& phase, tag what) {
  return (*phase.readings.at(0).end.at_allocated_peak.value().by_tag)[what];
}

}  // namespace headroom::kernels::test
