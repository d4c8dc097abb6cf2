// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <headroom/core/error.hpp>
#include <headroom/series/artifact.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>

namespace headroom {
namespace {

std::string random_hex() {
  std::random_device entropy;
  return fmt::format("{:08x}{:08x}", entropy(), entropy());
}

// Names of tests and devices hold '/', ':' and what else people think of.
std::string file_name_part(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '.' || c == '-' || c == '_';
    result += plain ? c : '-';
  }
  return result.substr(0, 80);
}

std::string compact_time(std::string_view utc) {
  std::string result;
  for (const char c : utc) {
    if (c != '-' && c != ':') result += c;
  }
  return result;
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

[[noreturn]] void refuse(const std::filesystem::path& path, int code) {
  throw artifact_error(
      fmt::format("{}: cannot be written: {}; set HEADROOM_ARTIFACT_DIR to a folder "
                  "that can be written",
                  path.string(), std::generic_category().message(code)));
}

void write_all(int fd, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(path, errno);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::fsync(fd) != 0) refuse(path, errno);
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

std::string sha256_of(std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr) != 1) {
    throw error("sha256: the cryptographic library refused");
  }
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

void write_new_file(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const std::filesystem::path part = folder / fmt::format(".{}.part", random_hex());
  try {
    const descriptor fd(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (fd.get() < 0) refuse(path, errno);
    write_all(fd.get(), text, path);
    if (const int code = publish(part, path); code == EEXIST) {
      throw artifact_error(
          fmt::format("{}: exists, and is not overwritten; give another name or "
                      "move it away",
                      path.string()));
    } else if (code != 0) {
      refuse(path, code);
    }
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
  sync_folder(folder);
}

artifact_file::artifact_file(const std::filesystem::path& folder, std::string_view test,
                             std::string_view device, const budget* against)
    : id_(random_hex()) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) refuse(folder, failure.value());
  const std::string created = utc_now();
  std::string name = against != nullptr ? file_name_part(against->name) + "." : "";
  name += fmt::format("{}.{}.{}-{}-{}", file_name_part(test.empty() ? "series" : test),
                      file_name_part(device), compact_time(created), ::getpid(), id_.substr(0, 8));
  path_ = folder / (name + ".json");
  start_path_ = folder / (name + ".started.json");
  const nlohmann::ordered_json start = {
      {"schema", start_schema_id},
      {"id", id_},
      {"created", created},
      {"test", test},
      {"device", device},
      {"process", ::getpid()},
      {"budget", against != nullptr ? nlohmann::ordered_json(against->file) : nullptr},
      {"artifact", path_.filename().string()}};
  write_new_file(
      start_path_,
      start.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void artifact_file::finish(const series_record& series, const verdict& result,
                           const budget* against) {
  series_record named = series;
  named.id = id_;
  write_new_file(path_, artifact_text(named, result, against));
  ::unlink(start_path_.c_str());
}

}  // namespace headroom
