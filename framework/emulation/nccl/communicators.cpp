// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cstring>
#include <utility>

#include "group.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::nccl;

namespace {

constexpr unsigned config_magic = 0xcafebeef;

meeting_id read_id(const ncclUniqueId& from) {
  static_assert(sizeof(meeting_id) <= sizeof(ncclUniqueId));
  meeting_id id;
  std::memcpy(&id, from.internal, sizeof id);
  return id;
}

ncclResult_t join(session& now, ncclComm_t* made, device* on, const meeting_id& id, int ranks,
                  int rank) {
  if (on == nullptr) return fail(ncclUnhandledCudaError, "no memory for the device's context");
  if (on->fault != result::success) return ncclUnhandledCudaError;
  std::shared_ptr<communicator> fresh;
  const ncclResult_t begun = begin(now.all, *on, id, ranks, rank, fresh);
  if (begun != ncclSuccess) return begun;
  *made = keep(fresh);
  return submit(now, fresh);
}

ncclResult_t init(call which, ncclComm_t* made, int ranks, const ncclUniqueId* id, int rank,
                  const ncclConfig_t* config) {
  return answer(which, [&](session& now) {
    if (made == nullptr || id == nullptr) return fail(ncclInvalidArgument, "a pointer is null");
    if (config != nullptr && config->magic != config_magic) {
      return fail(ncclInvalidArgument, "the configuration was not made by NCCL_CONFIG_INITIALIZER");
    }
    *made = nullptr;
    return join(now, made, current_device(now.all, now.me), read_id(*id), ranks, rank);
  });
}

/// Does all queued work of the communicator.
void finish_work(session& now, communicator& of) {
  const std::map<stream*, std::uint64_t> work = of.last_work;
  for (const auto& [on, ticket] : work) wait_for(now.all, now.lock, {on, ticket});
}

}  // namespace

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  return answer(call::ncclGetUniqueId_, [&](session&) {
    if (id == nullptr) return fail(ncclInvalidArgument, "a pointer is null");
    meeting_id fresh;
    std::string why;
    if (!meeting::make(fresh, why)) return fail(ncclSystemError, why);
    *id = {};
    std::memcpy(id->internal, &fresh, sizeof fresh);
    return ncclSuccess;
  });
}

ncclResult_t ncclCommInitRank(ncclComm_t* made, int ranks, ncclUniqueId id, int rank) {
  return init(call::ncclCommInitRank_, made, ranks, &id, rank, nullptr);
}
ncclResult_t ncclCommInitRankConfig(ncclComm_t* made, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  return init(call::ncclCommInitRankConfig_, made, ranks, &id, rank, config);
}
ncclResult_t ncclCommInitRankScalable(ncclComm_t* made, int ranks, int rank, int ids,
                                      ncclUniqueId* id, ncclConfig_t* config) {
  return init(call::ncclCommInitRankScalable_, made, ranks, ids < 1 ? nullptr : id, rank, config);
}

ncclResult_t ncclCommInitAll(ncclComm_t* made, int count_of, const int* devices) {
  return answer(call::ncclCommInitAll_, [&](session& now) {
    const int known = now.all.visible;
    if (made == nullptr || count_of < 1) return fail(ncclInvalidArgument, "no communicators");
    meeting_id id;
    std::string why;
    if (!meeting::make(id, why)) return fail(ncclSystemError, why);
    ncclResult_t done = ncclSuccess;
    ++this_group().depth;
    for (int r = 0; r < count_of && done == ncclSuccess; ++r) {
      const int number = devices == nullptr ? r : devices[r];
      if (number < 0 || number >= known) {
        done = fail(ncclInvalidArgument, "device " + std::to_string(number) + " of " +
                                             std::to_string(known) + ": there is none");
        continue;
      }
      device& on = *now.all.devices[static_cast<std::size_t>(number)];
      done = join(now, &made[r], activate(now.all, on) ? &on : nullptr, id, count_of, r);
    }
    group& own = this_group();
    if (--own.depth > 0) return done;
    const group gathered = std::exchange(own, {});
    return done == ncclSuccess ? assemble(now.lock, gathered.joining) : done;
  });
}

ncclResult_t ncclCommSplit(ncclComm_t parent, int color, int key, ncclComm_t* made, ncclConfig_t*) {
  return answer_about(call::ncclCommSplit_, parent, [&](session& now, const auto& of) {
    if (made == nullptr || color < -1) return fail(ncclInvalidArgument, "no color, or no pointer");
    *made = nullptr;
    std::shared_ptr<communicator> fresh;
    const ncclResult_t done = split(now.all, now.lock, *of, color, key, fresh);
    if (done == ncclSuccess && fresh != nullptr) *made = keep(fresh);
    return done;
  });
}

ncclResult_t ncclCommFinalize(ncclComm_t which) {
  return answer_about(call::ncclCommFinalize_, which, [](session& now, const auto& of) {
    finish_work(now, *of);
    return of->error;
  });
}

ncclResult_t ncclCommDestroy(ncclComm_t which) {
  return answer_about(call::ncclCommDestroy_, which, [&](session& now, const auto& of) {
    finish_work(now, *of);
    of->at->leave(seat_state::left);
    forget(which);
    return ncclSuccess;
  });
}

ncclResult_t ncclCommAbort(ncclComm_t which) {
  return answer_about(call::ncclCommAbort_, which, [&](session&, const auto& of) {
    of->at->stop();
    of->at->leave(seat_state::aborted);
    forget(which);
    return ncclSuccess;
  });
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t which, ncclResult_t* error) {
  return answer_about(call::ncclCommGetAsyncError_, which, [&](session&, const auto& of) {
    if (error == nullptr) return fail(ncclInvalidArgument, "a pointer is null");
    *error = of->error;
    return ncclSuccess;
  });
}
ncclResult_t ncclCommCount(ncclComm_t which, int* ranks) {
  return answer_about(call::ncclCommCount_, which, [&](session&, const auto& of) {
    *ranks = of->at->ranks();
    return ncclSuccess;
  });
}
ncclResult_t ncclCommCuDevice(ncclComm_t which, int* number) {
  return answer_about(call::ncclCommCuDevice_, which, [&](session&, const auto& of) {
    *number = of->on->index;
    return ncclSuccess;
  });
}
ncclResult_t ncclCommUserRank(ncclComm_t which, int* rank) {
  return answer_about(call::ncclCommUserRank_, which, [&](session&, const auto& of) {
    *rank = of->at->rank();
    return ncclSuccess;
  });
}
