// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "address_space.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace headroom::emulation {
namespace {

void* pointer(address at) { return reinterpret_cast<void*>(at); }

}  // namespace

address_space::address_space() {
  // As much as the system grants: under a limit on address space, or a sanitizer, less.
  for (std::uint64_t size = std::uint64_t{16} << 40; size >= std::uint64_t{1} << 30; size /= 2) {
    void* at = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) continue;
    begin_ = reinterpret_cast<address>(at);
    end_ = begin_ + size;
    next_ = round_up(begin_, granularity);
    return;
  }
  std::fputs("headroom: the emulated card found no free addresses (ulimit -v?)\n", stderr);
  std::_Exit(6);
}

address_space::~address_space() {
  munmap(pointer(begin_), end_ - begin_);
  if (shared_file_ >= 0) close(shared_file_);
}

address address_space::reserve(std::uint64_t size, std::uint64_t alignment) {
  // One granule stays free behind each range, so that running over its end is not a neighbour.
  const std::uint64_t whole = round_up(size, granularity) + granularity;
  const address at = round_up(next_, alignment);
  if (whole < size || at < next_) return 0;
  if (at + whole > at && at + whole <= end_) {
    if (at > next_) free_.emplace(next_, at - next_);
    next_ = at + whole;
    return at;
  }
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const auto [begin, length] = *it;
    const address first = round_up(begin, alignment);
    if (first + whole > begin + length) continue;
    free_.erase(it);
    if (first > begin) free_.emplace(begin, first - begin);
    if (first + whole < begin + length)
      free_.emplace(first + whole, begin + length - first - whole);
    return first;
  }
  return 0;
}

void address_space::release(address begin, std::uint64_t size) {
  clear(begin, size);
  std::uint64_t whole = round_up(size, granularity) + granularity;
  auto behind = free_.lower_bound(begin);
  if (behind != free_.end() && behind->first == begin + whole) {
    whole += behind->second;
    behind = free_.erase(behind);
  }
  if (behind != free_.begin()) {
    const auto before = std::prev(behind);
    if (before->first + before->second == begin) {
      before->second += whole;
      return;
    }
  }
  free_.emplace(begin, whole);
}

bool address_space::back(address begin, std::uint64_t size) {
  return mmap(pointer(begin), size, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

std::uint64_t address_space::shared_place(std::uint64_t size) {
  const std::uint64_t offset = shared_end_;
  shared_end_ += round_up(size, granularity);
  return offset;
}

bool address_space::back_shared(address begin, std::uint64_t size, std::uint64_t offset) {
  if (shared_file_ < 0) shared_file_ = memfd_create("headroom-emulated", MFD_CLOEXEC);
  if (shared_file_ < 0 || ftruncate(shared_file_, static_cast<off_t>(shared_end_)) != 0) {
    return false;
  }
  return mmap(pointer(begin), size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
              shared_file_, static_cast<off_t>(offset)) != MAP_FAILED;
}

void address_space::drop_shared(std::uint64_t offset, std::uint64_t size) {
  if (shared_file_ < 0) return;
  fallocate(shared_file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
            static_cast<off_t>(round_up(size, granularity)));
}

void address_space::clear(address begin, std::uint64_t size) {
  static_cast<void>(mmap(pointer(begin), size, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
}

}  // namespace headroom::emulation
