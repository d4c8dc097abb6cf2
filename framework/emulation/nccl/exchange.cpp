// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// How a job's part is made known to the other ranks, and theirs waited for.
#include <algorithm>
#include <iterator>

#include "arithmetic.hpp"
#include "jobs.hpp"

namespace headroom::emulation::nccl {
namespace {

bool is_message(job_kind kind) { return kind == job_kind::send || kind == job_kind::receive; }
bool from_root(job_kind kind) { return kind == job_kind::broadcast || kind == job_kind::scatter; }
bool to_root(job_kind kind) { return kind == job_kind::reduce || kind == job_kind::gather; }

/// How many ranks read what `rank` posts for the job.
std::uint32_t readers_of(const job& what, int rank) {
  if (is_message(what.kind) || to_root(what.kind)) return 1;
  if (from_root(what.kind) && rank != what.root) return 0;
  return static_cast<std::uint32_t>(what.of->at->ranks());
}

bool needs(const job& what, int from) {
  if (from_root(what.kind) || what.kind == job_kind::receive) return from == what.root;
  if (to_root(what.kind)) return what.of->at->rank() == what.root;
  return what.kind != job_kind::send;
}

/// "all-reduce number 3, 4 of float32, operation 0, root 0"
std::string words_for(unsigned kind, std::uint64_t number, std::uint64_t count, unsigned type,
                      std::uint32_t op, std::int32_t root) {
  return std::string(name_of(static_cast<job_kind>(kind))) + " number " + std::to_string(number) +
         ", " + std::to_string(count) + " of " + name_of(static_cast<ncclDataType_t>(type)) +
         ", operation " + std::to_string(op) + ", root " + std::to_string(root);
}

std::uint32_t op_in_common(const job& what) {
  // Numbers of a communicator's own operations may differ between ranks.
  return static_cast<std::uint32_t>(std::min(what.op, ncclAvg + 1));
}

std::string words_of(const job& what) {
  return words_for(static_cast<unsigned>(what.kind), what.number, what.count,
                   static_cast<unsigned>(what.type), op_in_common(what), what.root);
}

/// Whether both ranks made the same call.
bool agree(const job& what, const posting& other) {
  if (is_message(what.kind)) {
    return other.count * size_of(static_cast<ncclDataType_t>(other.type)) ==
           what.count * size_of(what.type);
  }
  return other.kind == static_cast<unsigned>(what.kind) && other.count == what.count &&
         other.type == static_cast<unsigned>(what.type) && other.op == op_in_common(what) &&
         other.root == what.root;
}

result fail_locked(const job& what, ncclResult_t how, const std::string& why) {
  const card_lock lock(card_mutex());
  return fail_in_turn(*what.of, how, why);
}

/// Where the part of what each rank sends to this one begins, and how long it is.
struct slice {
  std::uint64_t skip, length;
};
slice slice_of(const job& what, const posting& other) {
  const std::uint64_t each = what.count * size_of(what.type);
  const bool cut = what.kind == job_kind::reduce_scatter || what.kind == job_kind::all_to_all ||
                   what.kind == job_kind::scatter;
  return cut ? slice{each * static_cast<std::uint64_t>(what.of->at->rank()), each}
             : slice{0, other.length};
}

}  // namespace

const char* name_of(job_kind kind) {
  constexpr const char* names[] = {"all-reduce", "reduce",     "reduce-scatter", "broadcast",
                                   "all-gather", "all-to-all", "gather",         "scatter",
                                   "send",       "receive",    "split"};
  return static_cast<unsigned>(kind) < std::size(names) ? names[static_cast<unsigned>(kind)]
                                                        : "something";
}

result post(card_lock& lock, job& what, const std::vector<char>& contents) {
  communicator& of = *what.of;
  const int rank = of.at->rank();
  const auto peer = static_cast<std::size_t>(what.root);
  if (what.kind == job_kind::receive) {
    what.number = ++of.received[peer];
    return result::success;
  }
  what.number = what.kind == job_kind::send ? ++of.sent[peer] : ++of.parts;
  posting& place = what.kind == job_kind::send ? of.at->message(rank, what.root, what.number)
                                               : of.at->part(rank, what.number);
  if (place.readers != 0 && !this_thread().in_host_code) {
    // The place is that of an earlier part, which this rank too has to read.
    const std::map<stream*, std::uint64_t> work = of.last_work;
    for (const auto& [on, ticket] : work) wait_for(card::get(), lock, {on, ticket});
  }
  lock.unlock();
  std::string why;
  const ending how = of.at->wait(
      rank, [&] { return place.readers == 0; }, what.kind == job_kind::send ? what.root : -1, why);
  std::uint64_t offset = 0;
  const bool stored = how == ending::came && of.at->store(contents, offset);
  lock.lock();
  if (how == ending::stopped) return result::success;
  if (how == ending::lost) {
    return fail_in_turn(of, ncclRemoteError, why + " before it read " + words_of(what));
  }
  if (!stored) return fail_in_turn(of, ncclSystemError, "no shared memory for " + words_of(what));
  place.kind = static_cast<std::uint32_t>(what.kind);
  place.type = static_cast<std::uint32_t>(what.type);
  place.op = op_in_common(what);
  place.root = what.root;
  place.count = what.count;
  place.offset = offset;
  place.length = contents.size();
  const std::uint32_t readers = readers_of(what, rank);
  if (readers == 0) of.at->drop(rank, offset, place.length);
  place.readers = readers;
  place.number = what.number;
  of.at->ring(rank);
  return result::success;
}

result collect(const job& what, bool wanted, std::vector<std::vector<char>>& from) {
  meeting& at = *what.of->at;
  from.resize(static_cast<std::size_t>(at.ranks()));
  for (int r = 0; r < at.ranks(); ++r) {
    if (!needs(what, r)) continue;
    posting& other = what.kind == job_kind::receive ? at.message(r, at.rank(), what.number)
                                                    : at.part(r, what.number);
    std::string why;
    const ending how = at.wait(
        r, [&] { return other.number == what.number; }, r, why);
    if (how == ending::stopped) return result::success;
    if (how == ending::lost) {
      return fail_locked(what, ncclRemoteError, why + " before its part in " + words_of(what));
    }
    if (!agree(what, other)) {
      return fail_locked(
          what, ncclInvalidUsage,
          "ranks do not agree: " + at.name_of(at.rank()) + " calls " + words_of(what) + "; " +
              at.name_of(r) + " calls " +
              words_for(other.kind, other.number, other.count, other.type, other.op, other.root));
    }
    const slice part = slice_of(what, other);
    auto& into = from[static_cast<std::size_t>(r)];
    if (wanted && other.length > 0) {
      into.resize(part.length);
      if (!at.load(r, other, part.skip, into.data(), into.size())) {
        return fail_locked(what, ncclSystemError, "the contents of " + at.name_of(r) + " are gone");
      }
    }
    // The place is the sender's again with the last reader.
    const std::uint64_t offset = other.offset;
    const std::uint64_t length = other.length;
    if (other.readers.fetch_sub(1) == 1) at.drop(r, offset, length);
    at.ring(r);
  }
  return result::success;
}

}  // namespace headroom::emulation::nccl
