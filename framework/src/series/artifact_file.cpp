// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <cstdint>
#include <headroom/core/error.hpp>
#include <headroom/core/new_file.hpp>
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

std::string compact_time(std::string_view utc) {
  std::string result;
  for (const char c : utc) {
    if (c != '-' && c != ':') result += c;
  }
  return result;
}

constexpr std::string_view folder_advice =
    "set HEADROOM_ARTIFACT_DIR to a folder that can be written";

}  // namespace

std::string file_name_part(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '.' || c == '-' || c == '_';
    result += plain ? c : '-';
  }
  return result.substr(0, 80);
}

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

artifact_file::artifact_file(const std::filesystem::path& folder, std::string_view test,
                             std::string_view device, const budget* against)
    : advice_(folder_advice), id_(random_hex()) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw output_error(
        fmt::format("{}: cannot be written: {}; {}", folder.string(), failure.message(), advice_));
  }
  const std::string created = utc_now();
  std::string name = against != nullptr ? file_name_part(against->name) + "." : "";
  name += fmt::format("{}.{}.{}-{}-{}", file_name_part(test.empty() ? "series" : test),
                      file_name_part(device), compact_time(created), ::getpid(), id_.substr(0, 8));
  path_ = folder / (name + ".json");
  start_path_ = start_path_of(path_);
  write_start(test, device, against, created);
}

artifact_file artifact_file::at(const std::filesystem::path& path, std::string_view test,
                                std::string_view device, const budget* against) {
  artifact_file made;
  made.advice_ = "name a file in a folder that can be written";
  made.id_ = random_hex();
  made.path_ = path;
  made.start_path_ = start_path_of(path);
  std::error_code failure;
  const auto status = std::filesystem::symlink_status(path, failure);
  if (std::filesystem::exists(status)) {
    throw output_error(
        fmt::format("{}: {}", path.string(),
                    std::filesystem::is_directory(status)
                        ? "this is a folder; give the name of a new file in it"
                        : "exists, and is not overwritten; give another name or move it away"));
  }
  made.write_start(test, device, against, utc_now());
  return made;
}

std::filesystem::path artifact_file::start_path_of(const std::filesystem::path& artifact) {
  std::string name = artifact.filename().string();
  if (name.ends_with(".json")) name.resize(name.size() - 5);
  return artifact.parent_path() / (name + ".started.json");
}

void artifact_file::write_start(std::string_view test, std::string_view device,
                                const budget* against, const std::string& created) const {
  const nlohmann::ordered_json start = {
      {"schema", start_schema_id},
      {"id", id_},
      {"created", created},
      {"test", test},
      {"device", device},
      {"process", ::getpid()},
      {"budget", against != nullptr ? nlohmann::ordered_json(against->file) : nullptr},
      {"artifact", path_.filename().string()}};
  write_new_file(start_path_,
                 start.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n",
                 advice_);
}

void artifact_file::finish(const series_record& series, const verdict& result,
                           const budget* against) {
  series_record named = series;
  named.id = id_;
  write_new_file(path_, artifact_text(named, result, against), advice_);
  withdraw();
}

void artifact_file::withdraw() { ::unlink(start_path_.c_str()); }

}  // namespace headroom
