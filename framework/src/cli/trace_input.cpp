// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "trace_input.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <headroom/core/error.hpp>
#include <system_error>

#include "unnamed_file.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, std::string message) {
  throw trace_error({.file = path, .line = 0, .pointer = "", .message = std::move(message)});
}

}  // namespace

/// Hands on what another stream gives, and keeps a copy.
class trace_input::keeping_buffer final : public std::streambuf {
 public:
  keeping_buffer(std::istream& from, std::ostream& copy) : from_(from), copy_(copy) {}

 protected:
  int_type underflow() override {
    from_.read(block_.data(), static_cast<std::streamsize>(block_.size()));
    // Thrown here, it would end as a bad stream: the reader must know that it is not the end.
    if (from_.bad()) throw std::ios_base::failure("the input cannot be read");
    const std::streamsize got = from_.gcount();
    if (got == 0) {
      copy_.flush();
      if (!copy_) throw std::ios_base::failure("the copy cannot be written");
      return traits_type::eof();
    }
    copy_.write(block_.data(), got);
    setg(block_.data(), block_.data(), block_.data() + got);
    return traits_type::to_int_type(block_[0]);
  }

 private:
  std::istream& from_;
  std::ostream& copy_;
  std::array<char, std::size_t{64} * 1024> block_{};
};

trace_input::trace_input(const std::string& path, std::istream& standard_input, bool again)
    : name_(path == "-" ? "standard input" : path), source_(&standard_input), keeps_(again) {
  if (path == "-") return;
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) {
    refuse(path, "there is no such file; give the path of a trace, or - for standard input");
  }
  if (status.type() == fs::file_type::directory) {
    refuse(path, "this is a folder; give the path of a trace");
  }
  file_.open(path, std::ios::binary);
  if (!file_) {
    refuse(path, fmt::format("cannot be opened: {}", std::generic_category().message(errno)));
  }
  source_ = &file_;
  keeps_ = again && status.type() != fs::file_type::regular;
}

trace_input::~trace_input() = default;

trace_reader trace_input::open() {
  const bool first = !std::exchange(opened_, true);
  if (first && keeps_) {
    kept_ = unnamed_file("standard input",
                         "give the trace as a file, or read it once with --no-search");
    buffer_ = std::make_unique<keeping_buffer>(*source_, kept_);
    keeping_ = std::make_unique<std::istream>(buffer_.get());
    return {*keeping_, name_};
  }
  if (!first) {
    source_ = keeps_ ? &kept_ : source_;
    source_->clear();
    source_->seekg(0);
  }
  return {*source_, name_};
}

}  // namespace headroom::cli
