// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "jobs.hpp"

#include <cstring>

#include "../card/calls.hpp"
#include "../card/transfer.hpp"
#include "arithmetic.hpp"

namespace headroom::emulation::nccl {
namespace {

bool reduces(job_kind kind) {
  return kind == job_kind::all_reduce || kind == job_kind::reduce ||
         kind == job_kind::reduce_scatter;
}
bool is_root(const job& what) { return what.root == what.of->at->rank(); }

/// Elements that this rank puts where the others find them.
std::uint64_t sent_elements(const job& what) {
  const auto ranks = static_cast<std::uint64_t>(what.of->at->ranks());
  switch (what.kind) {
    case job_kind::reduce_scatter:
    case job_kind::all_to_all:
      return what.count * ranks;
    case job_kind::scatter:
      return is_root(what) ? what.count * ranks : 0;
    case job_kind::broadcast:
      return is_root(what) ? what.count : 0;
    case job_kind::receive:
      return 0;
    default:
      return what.count;
  }
}

/// Elements that this rank has when the job is done.
std::uint64_t received_elements(const job& what) {
  const auto ranks = static_cast<std::uint64_t>(what.of->at->ranks());
  switch (what.kind) {
    case job_kind::all_gather:
    case job_kind::all_to_all:
      return what.count * ranks;
    case job_kind::gather:
      return is_root(what) ? what.count * ranks : 0;
    case job_kind::reduce:
      return is_root(what) ? what.count : 0;
    case job_kind::send:
      return 0;
    default:
      return what.count;
  }
}

/// What the others may read, once earlier work of the stream is done. `contents` stays empty where
/// contents are not kept.
/// @param on  null: earlier work is done
result contents_of(card& all, card_lock& lock, const job& what, stream* on,
                   std::vector<char>& contents) {
  const std::uint64_t length = sent_elements(what) * size_of(what.type);
  if (length == 0) return result::success;
  reach seen = reach_in_turn(all, what.send, length);
  if (seen.valid && seen.backed && on != nullptr) {
    wait_for(all, lock, end_of(all, lock, *on));
    seen = reach_in_turn(all, what.send, length);
  }
  if (!seen.valid) return result::illegal_address;
  if (!seen.backed) return result::success;
  const auto* from = reinterpret_cast<const char*>(what.send);
  contents.assign(from, from + length);
  if (!reduces(what.kind) || what.op <= ncclAvg) return result::success;
  const scaled_sum& sum = *what.of->sums[static_cast<std::size_t>(what.op - ncclAvg - 1)];
  const void* scalar = sum.scalar.data();
  if (sum.device_scalar != 0) {
    const reach where = reach_in_turn(all, sum.device_scalar, size_of(sum.type));
    if (!where.valid) return result::illegal_address;
    if (where.backed) scalar = reinterpret_cast<const void*>(sum.device_scalar);
  }
  multiply(what.type, contents, scalar);
  return result::success;
}

std::vector<char> joined(const job& what, const std::vector<std::vector<char>>& from) {
  const std::size_t each = what.count * size_of(what.type);
  switch (what.kind) {
    case job_kind::all_reduce:
    case job_kind::reduce:
    case job_kind::reduce_scatter: {
      const auto op = what.op > ncclAvg ? ncclSum : static_cast<ncclRedOp_t>(what.op);
      return reduce(what.type, op, what.count, from);
    }
    case job_kind::broadcast:
    case job_kind::scatter:
    case job_kind::receive: {
      std::vector<char> one = from[static_cast<std::size_t>(what.root)];
      one.resize(each);  // zeros where the sender's contents are not kept
      return one;
    }
    default: {
      std::vector<char> all(each * from.size());
      for (std::size_t r = 0; r < from.size(); ++r) {
        if (!from[r].empty()) std::memcpy(all.data() + r * each, from[r].data(), each);
      }
      return all;
    }
  }
}

/// What is done when the stream's turn has come, with the card unlocked.
result finish(card& all, const job& what) {
  const std::uint64_t length = received_elements(what) * size_of(what.type);
  card_lock lock(card_mutex());
  if (what.of->error != ncclSuccess) return result::launch_failure;
  const reach before = length == 0 ? reach{true, false} : reach_in_turn(all, what.receive, length);
  if (!before.valid) return result::illegal_address;
  lock.unlock();
  std::vector<std::vector<char>> from;
  const result answer = collect(what, before.backed, from);
  if (answer != result::success || !before.backed) return answer;
  if (what.of->at->stopped()) return result::success;
  const std::vector<char> contents = joined(what, from);
  lock.lock();
  if (!reach_in_turn(all, what.receive, length).backed) return result::illegal_address;
  std::memcpy(reinterpret_cast<char*>(what.receive), contents.data(), length);
  return result::success;
}

/// The whole job in one, for graphs: its part is made known when the graph runs.
result run_captured(card& all, job what) {
  std::vector<char> contents;
  {
    card_lock lock(card_mutex());
    result answer = contents_of(all, lock, what, nullptr, contents);
    if (answer == result::success) answer = post(lock, what, contents);
    if (answer != result::success) return answer;
  }
  return finish(all, what);
}

/// One job's begin. @param on  of the job
ncclResult_t begin(card& all, card_lock& lock, job& what, stream& on) {
  std::vector<char> contents;
  result answer = contents_of(all, lock, what, &on, contents);
  if (answer == result::success) answer = on.on->fault;
  if (answer == result::success) answer = post(lock, what, contents);
  if (answer == result::success) return ncclSuccess;
  if (on.on->fault == result::success) on.on->fault = answer;
  if (what.of->error != ncclSuccess) return what.of->error;
  return fail(ncclUnhandledCudaError,
              std::string(name_of(what.kind)) + ": a buffer is not memory of the device");
}

}  // namespace

std::string fault_of(const job& what) {
  const std::string name = name_of(what.kind);
  const int ranks = what.of->at->ranks();
  if (size_of(what.type) == 0) return name + ": type " + std::to_string(what.type) + " is none";
  if (what.root < 0 || what.root >= ranks) {
    return name + ": rank " + std::to_string(what.root) + " is not one of " + std::to_string(ranks);
  }
  if (reduces(what.kind) && what.op > ncclAvg) {
    const auto index = static_cast<std::size_t>(what.op - ncclAvg - 1);
    const auto& sums = what.of->sums;
    if (index >= sums.size() || !sums[index]) {
      return name + ": operation " + std::to_string(what.op) + " is none of this communicator";
    }
    if (sums[index]->type != what.type) return name + ": the operation is for another type";
  } else if (what.op < 0) {
    return name + ": operation " + std::to_string(what.op) + " is none";
  }
  const bool sends = sent_elements(what) > 0 && what.send == 0;
  const bool receives = received_elements(what) > 0 && what.receive == 0;
  return sends || receives ? name + ": a buffer is null" : "";
}

ncclResult_t run(card& all, card_lock& lock, thread_state& me, std::vector<job>& jobs) {
  std::vector<stream*> streams;
  for (const job& each : jobs) {
    streams.push_back(stream_of(all, me, *each.of->on, each.stream));
    if (streams.back() == nullptr) return fail(ncclInvalidArgument, "no such stream");
    if (each.of->error != ncclSuccess) return each.of->error;
    if (each.of->on->fault != result::success) return ncclUnhandledCudaError;
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (streams[i]->capturing != nullptr) continue;
    const ncclResult_t answer = begin(all, lock, jobs[i], *streams[i]);
    if (answer != ncclSuccess) return answer;
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    job& each = jobs[i];
    const bool captured = streams[i]->capturing != nullptr;
    operation work;
    work.host_code = true;
    if (captured) {
      work.run = [&all, each] { return run_captured(all, each); };
    } else if (each.kind != job_kind::send) {
      work.run = [&all, each] { return finish(all, each); };
    }
    const point at = enqueue(all, lock, *streams[i], std::move(work));
    if (!captured) each.of->last_work[at.on] = at.ticket;
  }
  return ncclSuccess;
}

}  // namespace headroom::emulation::nccl
