// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <headroom/core/error.hpp>
#include <headroom/core/new_file.hpp>
#include <random>
#include <system_error>

namespace headroom {
namespace {

std::string random_hex() {
  std::random_device entropy;
  return fmt::format("{:08x}{:08x}", entropy(), entropy());
}

class descriptor {
 public:
  explicit descriptor(int fd) : fd_(fd) {}
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

// Returns an errno value.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return ::fsync(fd) == 0 ? 0 : errno;
}

// Makes the unfinished file. Returns an errno value.
int write_part(const std::filesystem::path& part, std::string_view text) {
  const descriptor fd(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  return fd.get() < 0 ? errno : write_all(fd.get(), text);
}

// Gives the finished file its name unless that is taken. Returns an errno value.
int publish(const std::filesystem::path& part, const std::filesystem::path& path) {
  if (::renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system without that rename: a link, too, is made only where there is no file.
  if (::link(part.c_str(), path.c_str()) != 0) return errno;
  ::unlink(part.c_str());
  return 0;
}

void sync_folder(const std::filesystem::path& folder) {
  const descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() >= 0) ::fsync(fd.get());
}

}  // namespace

void write_new_file(const std::filesystem::path& path, std::string_view text,
                    std::string_view advice) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const std::filesystem::path part = folder / fmt::format(".{}.part", random_hex());
  int fault = write_part(part, text);
  if (fault == 0) fault = publish(part, path);
  if (fault == 0) {
    sync_folder(folder);
    return;
  }
  ::unlink(part.c_str());
  if (fault == EEXIST) {
    throw output_error(fmt::format(
        "{}: exists, and is not overwritten; give another name or move it away", path.string()));
  }
  throw output_error(fmt::format("{}: cannot be written: {}; {}", path.string(),
                                 std::generic_category().message(fault), advice));
}

}  // namespace headroom
