// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom::emulation::nccl {

/// Where ranks meet, as it is carried in an ncclUniqueId: anonymous shared memory of the process
/// that made it, so that nothing is left behind in a folder.
struct meeting_id {
  char mark[8];
  std::int32_t process;
  std::int32_t file;
  unsigned char secret[16];
};

/// One rank's part in one collective, or one message: what it is, and where its contents are.
struct posting {
  std::atomic<std::uint64_t> number;   ///< of the collective or message, from 1; 0: never used
  std::atomic<std::uint32_t> readers;  ///< that have not read it yet
  std::uint32_t kind;
  std::uint32_t type;
  std::uint32_t op;
  std::int32_t root;
  std::uint64_t count;   ///< elements, as the call has it
  std::uint64_t offset;  ///< in the file of the rank that posted
  std::uint64_t length;  ///< bytes; 0: contents are not kept
};

enum class seat_state : std::uint32_t { empty, taken, left, aborted };

/// A rank, as the others see it.
struct seat {
  std::atomic<std::uint32_t> state;
  std::atomic<std::uint32_t> bell;  ///< rings when something of this rank's has changed
  std::atomic<std::int32_t> process;
  std::atomic<std::int32_t> file;  ///< its contents, open in that process
  std::atomic<std::uint32_t> ready;
};

enum class ending {
  came,     ///< what was waited for
  lost,     ///< the rank cannot do it any more: it ended, left, aborted, or the limit has passed
  stopped,  ///< this rank aborted
};

/// The shared memory of a communicator, as one rank has it. Waits take no lock.
class meeting {
 public:
  /// @return false with why: the system gives no memory
  [[nodiscard]] static bool make(meeting_id& id, std::string& why);
  /// The id is not needed any more: every rank has come. Nothing where this process did not make
  /// it.
  static void close_id(const meeting_id& id);
  /// Takes a seat. @param limit  seconds after which a rank that does not come counts as lost
  /// @return null with why
  [[nodiscard]] static std::unique_ptr<meeting> join(const meeting_id& id, int ranks, int rank,
                                                     std::uint64_t limit, std::string& why);
  /// Waits until every rank has a seat, and opens what it shares. @return false with why
  [[nodiscard]] bool open_all(std::string& why);
  /// Waits until every rank has done so: from then on none needs the others' processes for it.
  /// @return false with why
  [[nodiscard]] bool confirm(std::string& why);
  ~meeting();
  meeting(const meeting&) = delete;
  meeting& operator=(const meeting&) = delete;

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] int rank() const { return rank_; }

  /// The place of a rank's part in collective number n, or of message number n to a peer.
  [[nodiscard]] posting& part(int of, std::uint64_t number);
  [[nodiscard]] posting& message(int from, int to, std::uint64_t number);

  /// Waits for a change of the rank's that makes `come` true.
  /// @param whose  the rank that is lost when it is gone; -1: any
  [[nodiscard]] ending wait(int on, const std::function<bool()>& come, int whose, std::string& why);
  void ring(int of);
  void leave(seat_state how);
  /// This rank's waits end. May be called by any thread.
  void stop() { stopped_ = true; }
  [[nodiscard]] bool stopped() const { return stopped_; }

  /// @return false: no memory
  [[nodiscard]] bool store(const std::vector<char>& contents, std::uint64_t& offset);
  [[nodiscard]] bool load(int of, const posting& from, std::uint64_t skip, void* to,
                          std::size_t length) const;
  /// Contents are not needed any more.
  void drop(int of, std::uint64_t offset, std::uint64_t length) const;
  [[nodiscard]] std::string name_of(int rank) const;  ///< "rank 1 of 4 (process 123)"

 private:
  meeting(int ranks, int rank, std::uint64_t limit) : ranks_(ranks), rank_(rank), limit_(limit) {}
  [[nodiscard]] seat& seat_of(int rank) const;
  [[nodiscard]] bool wait_for_stage(int rank, std::uint32_t stage, std::string& why);
  [[nodiscard]] bool gone(int rank, std::string& why) const;

  int ranks_;
  int rank_;
  std::uint64_t limit_;
  std::atomic<bool> stopped_ = false;
  void* shared_ = nullptr;
  std::size_t size_ = 0;
  std::vector<int> files_;  // contents, by rank
  std::atomic<std::uint64_t> stored_ = 0;
};

}  // namespace headroom::emulation::nccl
