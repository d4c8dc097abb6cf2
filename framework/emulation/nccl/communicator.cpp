// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "communicator.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <unordered_map>

#include "jobs.hpp"

namespace headroom::emulation::nccl {
namespace {

std::unordered_map<const void*, std::shared_ptr<communicator>>& live() {
  static auto* all = new std::unordered_map<const void*, std::shared_ptr<communicator>>;
  return *all;
}
std::string& failure() {
  static auto* text = new std::string;
  return *text;
}

template <class Value>
std::vector<char> bytes_of(const Value& value) {
  std::vector<char> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// Every rank's value. Waits with the card unlocked.
template <class Value>
ncclResult_t tell_all(card_lock& lock, const std::shared_ptr<communicator>& of, const Value& own,
                      std::vector<Value>& all) {
  job telling;
  telling.of = of;
  telling.kind = job_kind::split;
  telling.count = sizeof own;
  telling.type = ncclInt8;
  std::vector<std::vector<char>> from;
  const result posted = post(lock, telling, bytes_of(own));
  lock.unlock();
  const result told =
      posted == result::success ? collect(telling, true, from) : result::launch_failure;
  lock.lock();
  if (told != result::success || of->error != ncclSuccess) return ncclRemoteError;
  all.resize(from.size());
  for (std::size_t r = 0; r < from.size(); ++r) {
    if (from[r].size() != sizeof own) return ncclInternalError;
    std::memcpy(&all[r], from[r].data(), sizeof own);
  }
  return ncclSuccess;
}

}  // namespace

std::shared_ptr<communicator> find(ncclComm_t handle) {
  const auto found = live().find(handle);
  return found == live().end() ? nullptr : found->second;
}

ncclComm_t keep(const std::shared_ptr<communicator>& made) {
  live().emplace(made.get(), made);
  return reinterpret_cast<ncclComm_t>(made.get());
}

void forget(ncclComm_t handle) { live().erase(handle); }

ncclResult_t fail(ncclResult_t how, const std::string& why) {
  failure() = why;
  std::fprintf(stderr, "headroom: emulated card: NCCL: %s\n", why.c_str());
  return how;
}

result fail_in_turn(communicator& of, ncclResult_t how, const std::string& why) {
  if (of.error == ncclSuccess) of.error = fail(how, why);
  return result::launch_failure;
}

const char* last_failure() { return failure().c_str(); }

ncclResult_t begin(card& all, device& on, const meeting_id& id, int ranks, int rank,
                   std::shared_ptr<communicator>& made) {
  if (ranks < 1 || ranks > 1024 || rank < 0 || rank >= ranks) {
    return fail(ncclInvalidArgument, "rank " + std::to_string(rank) + " of " +
                                         std::to_string(ranks) + ": there is no such rank");
  }
  std::string why;
  made = std::make_shared<communicator>();
  made->on = &on;
  made->id = id;
  made->at = meeting::join(id, ranks, rank, all.set.rank_limit, why);
  if (made->at == nullptr) return fail(ncclInvalidUsage, why);
  made->sent.resize(static_cast<std::size_t>(ranks));
  made->received.resize(static_cast<std::size_t>(ranks));
  return ncclSuccess;
}

ncclResult_t assemble(card_lock& lock, const std::vector<std::shared_ptr<communicator>>& joining) {
  std::string why;
  lock.unlock();
  for (const auto& each : joining) {
    if (why.empty() && !each->at->open_all(why) && why.empty()) why = "it was aborted";
  }
  for (const auto& each : joining) {
    if (why.empty() && !each->at->confirm(why) && why.empty()) why = "it was aborted";
  }
  if (why.empty()) {
    for (const auto& each : joining) meeting::close_id(each->id);
  }
  lock.lock();
  if (why.empty()) return ncclSuccess;
  for (const auto& each : joining) each->error = ncclRemoteError;
  return fail(ncclRemoteError, "a communicator was not made: " + why);
}

ncclResult_t split(card& all, card_lock& lock, communicator& of, int color, int key,
                   std::shared_ptr<communicator>& made) {
  struct wish {
    int color, key;
  };
  const std::shared_ptr<communicator> parent = find(reinterpret_cast<ncclComm_t>(&of));
  const int rank = of.at->rank();
  std::vector<wish> wishes;
  ncclResult_t answer = tell_all(lock, parent, wish{color, key}, wishes);
  if (answer != ncclSuccess) return answer;
  std::vector<std::tuple<int, int>> members;  // key, rank
  for (int r = 0; r < of.at->ranks(); ++r) {
    const wish& each = wishes[static_cast<std::size_t>(r)];
    if (color >= 0 && each.color == color) members.emplace_back(each.key, r);
  }
  std::sort(members.begin(), members.end());
  const int first = members.empty() ? -1 : std::get<1>(members.front());
  meeting_id id{};
  std::string why;
  if (first == rank && !meeting::make(id, why)) return fail(ncclSystemError, why);
  std::vector<meeting_id> ids;
  answer = tell_all(lock, parent, id, ids);
  if (answer != ncclSuccess || members.empty()) return answer;
  const auto own = std::find(members.begin(), members.end(), std::tuple(key, rank));
  answer = begin(all, *of.on, ids[static_cast<std::size_t>(first)],
                 static_cast<int>(members.size()), static_cast<int>(own - members.begin()), made);
  return answer == ncclSuccess ? assemble(lock, {made}) : answer;
}

}  // namespace headroom::emulation::nccl
