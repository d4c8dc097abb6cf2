// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// Ranks in processes of their own: each makes its communicator and runs a body, whose failures
// become the parent's.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <vector>

#include "api.hpp"
#include "emulation/abi/nccl_calls.hpp"

/// One rank, as a body gets it.
struct rank_session {
  int rank;
  int ranks;
  ncclComm_t of;
};

/// Device memory with contents, on the default device.
template <class Value>
class device_values {
 public:
  explicit device_values(const std::vector<Value>& values) : count_(values.size()) {
    EXPECT_EQ(cudaMalloc(&at_, count_ * sizeof(Value)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(at_, values.data(), count_ * sizeof(Value), cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  [[nodiscard]] Value* data() const { return static_cast<Value*>(at_); }
  /// Waits for the device.
  [[nodiscard]] std::vector<Value> read() const {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<Value> values(count_);
    EXPECT_EQ(cudaMemcpy(values.data(), at_, count_ * sizeof(Value), cudaMemcpyDeviceToHost),
              cudaSuccess);
    return values;
  }

 private:
  void* at_ = nullptr;
  std::size_t count_;
};

/// Forks a process for each rank. The parent makes the unique id and no rank.
/// @return exit codes: 0 passed, 1 a check failed
inline std::vector<int> run_ranks(int ranks, const std::function<void(rank_session&)>& body) {
  int pipes[2];
  EXPECT_EQ(pipe(pipes), 0);
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) {
    const pid_t child = fork();
    if (child == 0) {
      ncclUniqueId id;
      // The id is the parent's: it is written once for each rank.
      if (read(pipes[0], &id, sizeof id) != sizeof id) _exit(2);
      rank_session session{rank, ranks, nullptr};
      EXPECT_EQ(ncclCommInitRank(&session.of, ranks, id, rank), ncclSuccess);
      if (session.of != nullptr) body(session);
      std::fflush(nullptr);
      _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    children.push_back(child);
  }
  // Only now: a process may not fork once it has used the card.
  ncclUniqueId id;
  EXPECT_EQ(ncclGetUniqueId(&id), ncclSuccess);
  for (int rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(write(pipes[1], &id, sizeof id), static_cast<ssize_t>(sizeof id));
  }
  std::vector<int> codes;
  for (const pid_t child : children) {
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    codes.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  close(pipes[0]);
  close(pipes[1]);
  return codes;
}

inline std::vector<int> all_passed(int ranks) {
  return std::vector<int>(static_cast<std::size_t>(ranks), 0);
}
