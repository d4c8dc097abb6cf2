// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "communicator.hpp"

namespace headroom::emulation::nccl {

enum class job_kind : unsigned {
  all_reduce,
  reduce,
  reduce_scatter,
  broadcast,
  all_gather,
  all_to_all,
  gather,
  scatter,
  send,
  receive,
  split,  ///< not queued: ranks tell each other color and key
};
[[nodiscard]] const char* name_of(job_kind kind);

/// One rank's call of a collective, or one end of a message.
struct job {
  std::shared_ptr<communicator> of;
  job_kind kind = job_kind::all_reduce;
  address send = 0;
  address receive = 0;
  std::uint64_t count = 0;
  ncclDataType_t type = ncclFloat32;
  int op = 0;
  int root = 0;  ///< or the peer
  void* stream = nullptr;
  std::uint64_t number = 0;  ///< given when it is begun
};

/// Why the call is not valid, "" where it is.
[[nodiscard]] std::string fault_of(const job& what);

/// Begins jobs of one group: this rank's contents are put where the others find them, now, as the
/// card would do it while the program goes on; what others contribute is waited for when the
/// stream's turn has come. Where contents are kept, earlier work of the stream is done first.
[[nodiscard]] ncclResult_t run(card& all, card_lock& lock, thread_state& me,
                               std::vector<job>& jobs);

/// Gives the job its number and makes its part known to the others. Unlocks the card to wait.
/// @param contents  what others may read; empty: contents are not kept
[[nodiscard]] result post(card_lock& lock, job& what, const std::vector<char>& contents);
/// Waits for what the others posted. With the card unlocked.
/// @param from  their contents by rank, of what this rank needs
[[nodiscard]] result collect(const job& what, bool wanted, std::vector<std::vector<char>>& from);

}  // namespace headroom::emulation::nccl
