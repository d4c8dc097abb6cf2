// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/series/phase_record.hpp>

#include "progress.hpp"

namespace headroom::cli {

/// What happens in a series while it runs: on a terminal one line that changes, in a log a line a
/// phase.
class phase_progress {
 public:
  phase_progress(const console& io, protocol passes) : io_(io), passes_(passes), shown_(io) {}
  void operator()(const phase_record& phase) const;

 private:
  const console& io_;
  protocol passes_;
  progress shown_;
};

}  // namespace headroom::cli
