// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The contents of parts and messages: a file without a name for each rank, which the others read.
#include <fcntl.h>
#include <unistd.h>

#include "meeting.hpp"

namespace headroom::emulation::nccl {
namespace {
constexpr std::size_t page = 4096;
}

bool meeting::store(const std::vector<char>& contents, std::uint64_t& offset) {
  const std::uint64_t room = (contents.size() + page - 1) / page * page;
  offset = stored_.fetch_add(room);
  std::size_t done = 0;
  while (done < contents.size()) {
    const ssize_t wrote = pwrite(files_[static_cast<std::size_t>(rank_)], contents.data() + done,
                                 contents.size() - done, static_cast<off_t>(offset + done));
    if (wrote <= 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return true;
}

bool meeting::load(int of, const posting& from, std::uint64_t skip, void* to,
                   std::size_t length) const {
  if (skip + length > from.length) return false;
  std::size_t done = 0;
  while (done < length) {
    const ssize_t got = pread(files_[static_cast<std::size_t>(of)], static_cast<char*>(to) + done,
                              length - done, static_cast<off_t>(from.offset + skip + done));
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

void meeting::drop(int of, std::uint64_t offset, std::uint64_t length) const {
  if (length == 0) return;
  fallocate(files_[static_cast<std::size_t>(of)], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            static_cast<off_t>(offset), static_cast<off_t>((length + page - 1) / page * page));
}

}  // namespace headroom::emulation::nccl
