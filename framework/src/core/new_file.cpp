// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <headroom/core/error.hpp>
#include <headroom/core/json_document.hpp>
#include <headroom/core/new_file.hpp>
#include <random>
#include <system_error>
#include <utility>

namespace headroom {
namespace {

std::string random_hex() {
  std::random_device entropy;
  return fmt::format("{:08x}{:08x}", entropy(), entropy());
}

// Returns an errno value.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

// Makes the unfinished file, on disk. Returns an errno value.
int write_part(const std::filesystem::path& part, std::string_view text) {
  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return errno;
  int fault = write_all(fd, text);
  if (fault == 0 && ::fsync(fd) != 0) fault = errno;
  ::close(fd);
  return fault;
}

// Gives the finished file its name unless that is taken. Returns an errno value.
int give_name(const std::filesystem::path& part, const std::filesystem::path& path) {
  if (::renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system without that rename: a link, too, is made only where there is no file.
  if (::link(part.c_str(), path.c_str()) != 0) return errno;
  ::unlink(part.c_str());
  return 0;
}

void sync_folder(const std::filesystem::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

new_file::new_file(std::filesystem::path path, std::string advice)
    : path_(std::move(path)),
      advice_(std::move(advice)),
      folder_(path_.has_parent_path() ? path_.parent_path() : "."),
      part_(folder_ / fmt::format(".{}.part", random_hex())) {
  if (::access(path_.c_str(), F_OK) == 0) refuse(EEXIST);
  descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor_ < 0) refuse(errno);
}

new_file::~new_file() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(part_.c_str());
}

void new_file::append(std::string_view text) noexcept {
  if (fault_ == 0) fault_ = write_all(descriptor_, text);
}

void new_file::publish() {
  if (fault_ == 0 && ::fsync(descriptor_) != 0) fault_ = errno;
  if (fault_ == 0) fault_ = give_name(part_, path_);
  if (fault_ != 0) refuse(fault_);
  ::close(descriptor_);
  descriptor_ = -1;
  sync_folder(folder_);
}

void new_file::refuse(int fault) const {
  if (fault == EEXIST) {
    throw output_error(fmt::format(
        "{}: exists, and is not overwritten; give another name or move it away", path_.string()));
  }
  throw output_error(fmt::format("{}: cannot be written: {}; {}", path_.string(),
                                 std::generic_category().message(fault), advice_));
}

void write_new_file(const std::filesystem::path& path, std::string_view text,
                    std::string_view advice) {
  new_file file(path, std::string(advice));
  file.append(text);
  file.publish();
}

void replace_file(const std::filesystem::path& path, std::string_view read, std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    throw output_error(fmt::format("{}: cannot be written: {}", path.string(), why));
  };
  // What a link names is replaced, not the link.
  std::error_code failure;
  const std::filesystem::path real = std::filesystem::canonical(path, failure);
  if (failure) refuse(failure.message());
  const text_file now = read_text_file(real, read.size());
  if (!now.text || *now.text != read) refuse("it was changed meanwhile; run the command again");
  const auto mode = std::filesystem::status(real).permissions();
  const std::filesystem::path part = real.parent_path() / fmt::format(".{}.part", random_hex());
  int fault = write_part(part, text);
  if (fault == 0) std::filesystem::permissions(part, mode, failure);
  if (fault == 0 && ::rename(part.c_str(), real.c_str()) != 0) fault = errno;
  if (fault == 0) {
    sync_folder(real.parent_path());
    return;
  }
  ::unlink(part.c_str());
  refuse(std::generic_category().message(fault));
}

}  // namespace headroom
