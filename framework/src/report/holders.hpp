// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/series/series_record.hpp>
#include <headroom/series/verdict.hpp>
#include <string>

namespace headroom {

/// The envelope and its parts, a line each with its basis.
[[nodiscard]] std::string envelope_text(const budget& against);

/// Who holds the bytes at the allocated peak of the phase that a limit was judged on.
struct holders {
  std::string text;
  std::string suspects;  ///< tags that hold more than the budget foresees: "activations, workspace"
};
[[nodiscard]] holders holders_of(const series_record& series, const limit_verdict& judged,
                                 const budget& against);

}  // namespace headroom
