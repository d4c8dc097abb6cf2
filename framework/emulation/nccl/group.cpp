// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "group.hpp"

#include <utility>

using namespace headroom::emulation;
using namespace headroom::emulation::nccl;

namespace headroom::emulation::nccl {

group& this_group() {
  thread_local group own;
  return own;
}

void fail_group(ncclResult_t how) {
  if (this_group().depth > 0) this_group().error = how;
}

ncclResult_t submit(session& now, job what) {
  group& own = this_group();
  const std::string fault = fault_of(what);
  if (!fault.empty()) {
    own.error = own.depth > 0 ? ncclInvalidArgument : ncclSuccess;
    return fail(ncclInvalidArgument, fault);
  }
  std::vector<job> jobs{std::move(what)};
  if (own.depth == 0) return run(now.all, now.lock, now.me, jobs);
  own.jobs.push_back(std::move(jobs.front()));
  return ncclSuccess;
}

ncclResult_t submit(session& now, const std::shared_ptr<communicator>& joining) {
  group& own = this_group();
  if (own.depth == 0) return assemble(now.lock, {joining});
  own.joining.push_back(joining);
  return ncclSuccess;
}

}  // namespace headroom::emulation::nccl

ncclResult_t ncclGroupStart() {
  return answer(call::ncclGroupStart_, [](session&) {
    ++this_group().depth;
    return ncclSuccess;
  });
}

ncclResult_t ncclGroupEnd() {
  bool ended = false;
  const ncclResult_t answered = answer(call::ncclGroupEnd_, [&](session& now) {
    ended = true;
    group& own = this_group();
    if (own.depth == 0) return fail(ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
    if (--own.depth > 0) return ncclSuccess;
    const group done = std::exchange(own, {});
    if (done.error != ncclSuccess) return done.error;
    const ncclResult_t joined = assemble(now.lock, done.joining);
    if (joined != ncclSuccess) return joined;
    std::vector<job> jobs = done.jobs;
    return jobs.empty() ? ncclSuccess : run(now.all, now.lock, now.me, jobs);
  });
  if (!ended) this_group() = {};  // an end that fails is one all the same
  return answered;
}
