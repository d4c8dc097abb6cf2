// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

namespace headroom::cli {

/// What a command's end means to a script.
enum class exit_code {
  done = 0,             ///< done; within budget; it fits
  exceeded = 1,         ///< done; a budget is exceeded, a regression was found, nothing fits
  no_device = 2,        ///< the device or backend is not there; nothing was measured
  invalid_input = 3,    ///< arguments, budget, artifact, catalog or trace are not valid
  no_output = 4,        ///< the output exists or could not be written
  workload_failed = 5,  ///< the workload failed while being measured; the artifact holds it
  unknown = 6           ///< a reading is missing, or the meter did not prove itself
};

}  // namespace headroom::cli
