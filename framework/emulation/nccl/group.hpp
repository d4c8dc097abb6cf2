// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "answer.hpp"
#include "jobs.hpp"

namespace headroom::emulation::nccl {

/// What a thread's calls between ncclGroupStart and ncclGroupEnd gather.
struct group {
  int depth = 0;
  ncclResult_t error = ncclSuccess;  ///< of a call inside
  std::vector<job> jobs;
  std::vector<std::shared_ptr<communicator>> joining;
};
[[nodiscard]] group& this_group();

/// Begins the job, now or when the thread's group ends.
ncclResult_t submit(session& now, job what);
/// Waits for the other ranks of a new communicator, now or when the thread's group ends.
ncclResult_t submit(session& now, const std::shared_ptr<communicator>& joining);

}  // namespace headroom::emulation::nccl
