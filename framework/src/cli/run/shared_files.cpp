// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "shared_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <headroom/core/error.hpp>
#include <system_error>

namespace headroom::cli {
namespace {

/// Beyond standard input, output and error, of which any may be closed here.
int memory_file(const char* name) {
  const int made = ::memfd_create(name, MFD_CLOEXEC);
  if (made < 0 || made > STDERR_FILENO) return made;
  const int file = ::fcntl(made, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(made);
  return file;
}

std::string path_of(int file) { return fmt::format("/proc/{}/fd/{}", ::getpid(), file); }

}  // namespace

shared_files::shared_files() {
  segment_file_ = memory_file("headroom-run-segment");
  log_file_ = memory_file("headroom-run-log");
  void* memory = MAP_FAILED;
  if (segment_file_ >= 0 && log_file_ >= 0 &&
      ::ftruncate(segment_file_, sizeof(run_segment)) == 0) {
    memory =
        ::mmap(nullptr, sizeof(run_segment), PROT_READ | PROT_WRITE, MAP_SHARED, segment_file_, 0);
  }
  if (memory == MAP_FAILED) {
    throw error(fmt::format("no memory can be shared with the program: {}",
                            std::generic_category().message(errno)));
  }
  segment_ = static_cast<run_segment*>(memory);
  segment_->version = run_segment::known_version;
}

shared_files::~shared_files() {
  if (segment_ != nullptr) ::munmap(segment_, sizeof(run_segment));
  if (segment_file_ >= 0) ::close(segment_file_);
  if (log_file_ >= 0) ::close(log_file_);
}

std::string shared_files::segment_path() const { return path_of(segment_file_); }
std::string shared_files::log_path() const { return path_of(log_file_); }

std::string shared_files::log() const {
  std::string text;
  std::array<char, 65536> block{};
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(log_file_, block.data(), block.size(), at);
    if (got <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
    at += got;
  }
}

}  // namespace headroom::cli
