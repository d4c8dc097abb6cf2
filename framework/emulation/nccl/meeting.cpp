// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "meeting.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>

namespace headroom::emulation::nccl {
namespace {

constexpr char mark[8] = {'h', 'e', 'a', 'd', 'r', 'o', 'o', 'm'};
constexpr std::uint64_t parts_kept = 4096;     // of each rank: as many as a stream holds
constexpr std::uint64_t messages_kept = 1024;  // of each pair of ranks
constexpr std::chrono::milliseconds look_around{50};

/// Begins the shared memory; behind it come seats, parts, messages.
struct header {
  unsigned char secret[16];
  std::atomic<std::int32_t> ranks;
};

/// Shared memory of ids that this process made, open for those who still come.
struct id_files {
  std::mutex mutex;
  std::set<int> files;
};
id_files& own_ids() {
  static auto* all = new id_files;
  return *all;
}

std::size_t seats_at() { return 64; }
std::size_t parts_at(int ranks) { return seats_at() + 64 * static_cast<std::size_t>(ranks); }
std::size_t messages_at(int ranks) {
  return parts_at(ranks) + 64 * parts_kept * static_cast<std::size_t>(ranks);
}
std::size_t size_for(int ranks) {
  const auto n = static_cast<std::size_t>(ranks);
  return messages_at(ranks) + 64 * messages_kept * n * n;
}
static_assert(sizeof(posting) <= 64 && sizeof(seat) <= 64 && sizeof(header) <= 64);

template <class Value>
Value& at(void* shared, std::size_t offset) {
  return *reinterpret_cast<Value*>(static_cast<char*>(shared) + offset);
}

int open_of(std::int32_t process, std::int32_t file) {
  const std::string name = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(file);
  return open(name.c_str(), O_RDWR | O_CLOEXEC);
}

/// A process that ended and was not waited for yet counts as gone.
bool runs(std::int32_t process) {
  if (kill(process, 0) != 0) return errno != ESRCH;
  char text[512];
  const std::string name = "/proc/" + std::to_string(process) + "/stat";
  const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return true;
  text[length] = 0;
  const char* behind_name = std::strrchr(text, ')');
  return behind_name == nullptr || (behind_name[2] != 'Z' && behind_name[2] != 'X');
}

/// @return false when nothing rang for a while
bool sleep_on(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  const timespec most{0, std::chrono::nanoseconds(look_around).count()};
  return syscall(SYS_futex, &word, FUTEX_WAIT, seen, &most, nullptr, 0) == 0 || errno != ETIMEDOUT;
}

}  // namespace

bool meeting::make(meeting_id& id, std::string& why) {
  header first{};
  id = {};
  std::memcpy(id.mark, mark, sizeof mark);
  id.process = getpid();
  id.file = memfd_create("headroom-nccl", MFD_CLOEXEC);
  const bool random = getrandom(id.secret, sizeof id.secret, 0) == sizeof id.secret;
  std::memcpy(first.secret, id.secret, sizeof id.secret);
  if (id.file >= 0 && random && pwrite(id.file, &first, sizeof first, 0) == sizeof first) {
    const std::lock_guard lock(own_ids().mutex);
    own_ids().files.insert(id.file);
    return true;
  }
  if (id.file >= 0) close(id.file);
  why = "no shared memory for a unique id";
  return false;
}

void meeting::close_id(const meeting_id& id) {
  const std::lock_guard lock(own_ids().mutex);
  if (id.process == getpid() && own_ids().files.erase(id.file) > 0) close(id.file);
}

std::unique_ptr<meeting> meeting::join(const meeting_id& id, int ranks, int rank,
                                       std::uint64_t limit, std::string& why) {
  if (std::memcmp(id.mark, mark, sizeof mark) != 0) {
    why = "the unique id is not one that ncclGetUniqueId of the emulated card gave";
    return nullptr;
  }
  const int file = open_of(id.process, id.file);
  header first{};
  const bool found = file >= 0 && pread(file, &first, sizeof first, 0) == sizeof first &&
                     std::memcmp(first.secret, id.secret, sizeof id.secret) == 0;
  std::unique_ptr<meeting> made(new meeting(ranks, rank, limit));
  made->size_ = size_for(ranks);
  void* shared = MAP_FAILED;
  if (found && ftruncate(file, static_cast<off_t>(made->size_)) == 0) {
    shared = mmap(nullptr, made->size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (file >= 0) close(file);
  if (shared == MAP_FAILED) {
    why = found ? "no shared memory for a communicator"
                : "the unique id is used up, or the process that made it (" +
                      std::to_string(id.process) + ") has ended or is on another machine";
    return nullptr;
  }
  made->shared_ = shared;
  std::int32_t said = 0;
  auto& agreed = at<header>(shared, 0).ranks;
  if (!agreed.compare_exchange_strong(said, ranks) && said != ranks) {
    why =
        "this rank says " + std::to_string(ranks) + " ranks, another said " + std::to_string(said);
    return nullptr;
  }
  seat& mine = made->seat_of(rank);
  auto empty = static_cast<std::uint32_t>(seat_state::empty);
  if (!mine.state.compare_exchange_strong(empty, static_cast<std::uint32_t>(seat_state::taken))) {
    why = "rank " + std::to_string(rank) + " is taken by process " +
          std::to_string(mine.process.load());
    return nullptr;
  }
  made->files_.assign(static_cast<std::size_t>(ranks), -1);
  int& own = made->files_[static_cast<std::size_t>(rank)];
  own = memfd_create("headroom-nccl-rank", MFD_CLOEXEC);
  mine.process = getpid();
  mine.file = own;
  mine.ready = 1;
  made->ring(rank);
  if (own >= 0) return made;
  why = "no shared memory for a rank";
  return nullptr;
}

bool meeting::wait_for_stage(int rank, std::uint32_t stage, std::string& why) {
  const seat& other = seat_of(rank);
  const ending how = wait(
      rank, [&] { return other.ready >= stage; }, rank, why);
  if (how == ending::stopped) why = "the communicator was aborted";
  return how == ending::came;
}

bool meeting::open_all(std::string& why) {
  for (int r = 0; r < ranks_; ++r) {
    if (!wait_for_stage(r, 1, why)) return false;
    int& file = files_[static_cast<std::size_t>(r)];
    const seat& other = seat_of(r);
    if (file < 0) file = open_of(other.process, other.file);
    if (file >= 0) continue;
    why = name_of(r) + " has ended";
    return false;
  }
  seat_of(rank_).ready = 2;
  ring(rank_);
  return true;
}

bool meeting::confirm(std::string& why) {
  for (int r = 0; r < ranks_; ++r) {
    if (!wait_for_stage(r, 2, why)) return false;
  }
  return true;
}

meeting::~meeting() {
  if (shared_ == nullptr) return;
  for (const int file : files_) {
    if (file >= 0) close(file);
  }
  munmap(shared_, size_);
}

seat& meeting::seat_of(int rank) const {
  return at<seat>(shared_, seats_at() + 64 * static_cast<std::size_t>(rank));
}

posting& meeting::part(int of, std::uint64_t number) {
  const std::uint64_t place = static_cast<std::uint64_t>(of) * parts_kept + number % parts_kept;
  return at<posting>(shared_, parts_at(ranks_) + 64 * place);
}

posting& meeting::message(int from, int to, std::uint64_t number) {
  const auto pair = static_cast<std::uint64_t>(from) * static_cast<std::uint64_t>(ranks_) +
                    static_cast<std::uint64_t>(to);
  const std::uint64_t place = pair * messages_kept + number % messages_kept;
  return at<posting>(shared_, messages_at(ranks_) + 64 * place);
}

bool meeting::gone(int rank, std::string& why) const {
  if (rank < 0) {
    for (int r = 0; r < ranks_ && why.empty(); ++r) {
      if (r != rank_) static_cast<void>(gone(r, why));
    }
    return !why.empty();
  }
  const seat& other = seat_of(rank);
  const auto state = static_cast<seat_state>(other.state.load());
  if (state == seat_state::left) why = name_of(rank) + " has given its communicator back";
  if (state == seat_state::aborted) why = name_of(rank) + " has aborted";
  if (state == seat_state::taken && other.process != 0 && !runs(other.process)) {
    why = name_of(rank) + " has ended";
  }
  return !why.empty();
}

ending meeting::wait(int on, const std::function<bool()>& come, int whose, std::string& why) {
  seat& other = seat_of(on);
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    const std::uint32_t heard = other.bell;
    if (come()) return ending::came;
    if (stopped_) return ending::stopped;
    if (sleep_on(other.bell, heard)) continue;
    why.clear();
    // What it did before it went still counts.
    if (gone(whose, why)) {
      if (!come()) return ending::lost;
      why.clear();
      return ending::came;
    }
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(limit_)) {
      why = name_of(on) + " did not come within " + std::to_string(limit_) +
            " s (HEADROOM_EMULATED_RANK_LIMIT)";
      return ending::lost;
    }
  }
}

void meeting::ring(int of) {
  auto& bell = seat_of(of).bell;
  ++bell;
  syscall(SYS_futex, &bell, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void meeting::leave(seat_state how) {
  seat_of(rank_).state = static_cast<std::uint32_t>(how);
  ring(rank_);
}

std::string meeting::name_of(int rank) const {
  const std::int32_t process = seat_of(rank).process;
  return "rank " + std::to_string(rank) + " of " + std::to_string(ranks_) +
         (process == 0 ? "" : " (process " + std::to_string(process) + ")");
}

}  // namespace headroom::emulation::nccl
