// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../abi/nccl_calls.hpp"
#include "../card/queue.hpp"
#include "meeting.hpp"

namespace headroom::emulation::nccl {

/// A sum whose parts are multiplied first, as of ncclRedOpCreatePreMulSum.
struct scaled_sum {
  ncclDataType_t type = ncclFloat32;
  std::array<char, 8> scalar{};  ///< an element
  address device_scalar = 0;     ///< read when the work is done, where not 0
};

/// One rank's end of a communicator. Guarded by card_mutex, but for waits on the meeting. Queued
/// work shares it.
struct communicator {
  device* on = nullptr;
  std::unique_ptr<meeting> at;
  meeting_id id{};                              ///< by which it was made
  ncclResult_t error = ncclSuccess;             ///< asynchronous
  std::uint64_t parts = 0;                      ///< collectives begun
  std::vector<std::uint64_t> sent, received;    ///< messages begun, by peer
  std::map<stream*, std::uint64_t> last_work;   ///< tickets of its last work
  std::vector<std::optional<scaled_sum>> sums;  ///< by number of the operation behind NCCL's own
};

/// @return null for what is no live communicator
[[nodiscard]] std::shared_ptr<communicator> find(ncclComm_t handle);
[[nodiscard]] ncclComm_t keep(const std::shared_ptr<communicator>& made);
void forget(ncclComm_t handle);

/// Keeps what went wrong for ncclGetLastError, and says it on standard error.
ncclResult_t fail(ncclResult_t how, const std::string& why);
/// The same for queued work. @return the answer of the work: the device's sticky error
result fail_in_turn(communicator& of, ncclResult_t how, const std::string& why);
[[nodiscard]] const char* last_failure();

/// Takes a seat on the device. Without waiting.
[[nodiscard]] ncclResult_t begin(card& all, device& on, const meeting_id& id, int ranks, int rank,
                                 std::shared_ptr<communicator>& made);
/// Waits for the others of each communicator, with the card unlocked. All of one thread go
/// together.
[[nodiscard]] ncclResult_t assemble(card_lock& lock,
                                    const std::vector<std::shared_ptr<communicator>>& joining);

/// Every rank's color and key, in the order of ranks. Waits with the card unlocked.
/// @param color  below 0: in no part
[[nodiscard]] ncclResult_t split(card& all, card_lock& lock, communicator& of, int color, int key,
                                 std::shared_ptr<communicator>& made);

}  // namespace headroom::emulation::nccl
