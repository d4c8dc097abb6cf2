// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <headroom/core/error.hpp>
#include <headroom/device/event_log.hpp>
#include <headroom/device/trace_reader.hpp>

namespace headroom {
namespace {

std::uint64_t number_of(const allocation& block) {
  return reinterpret_cast<std::uintptr_t>(block.address);
}

}  // namespace

/// One line of the log, written into its buffer.
class event_log::line {
 public:
  line(event_log& log, trace_operation what) : log_(log) {
    if (buffer_size - log.filled_ < longest_line) log.flush();
    at_ = log.buffer_.data() + log.filled_;
    *at_++ = static_cast<char>(what);
  }
  ~line() {
    *at_++ = '\n';
    log_.filled_ = static_cast<std::size_t>(at_ - log_.buffer_.data());
  }
  line(const line&) = delete;
  line& operator=(const line&) = delete;

  line& operator<<(std::uint64_t number) {
    *at_++ = ' ';
    at_ = std::to_chars(at_, log_.buffer_.data() + buffer_size, number).ptr;
    return *this;
  }
  line& operator<<(bytes size) { return *this << static_cast<std::uint64_t>(size.n); }
  line& operator<<(stream_id stream) { return *this << std::uint64_t{stream.n}; }
  line& operator<<(tag what) {
    const std::string_view name = name_of(what);
    *at_++ = ' ';
    std::memcpy(at_, name.data(), name.size());
    at_ += name.size();
    return *this;
  }

 private:
  event_log& log_;
  char* at_;
};

event_log::event_log(const std::filesystem::path& file, bytes capacity,
                     const allocator_description& of)
    : file_(file, "name a folder that can be written, with room for some 30 B an event") {
  file_.append(fmt::format("headroom-trace 1\ncapacity {}\n", capacity.n));
  for (const auto& [name, value] : of.settings) {
    file_.append(fmt::format("setting {} {}\n", name, value));
  }
}

event_log::~event_log() {
  try {
    flush();
    file_.publish();
  } catch (const error& fault) {
    std::fprintf(stderr, "headroom: there is no event log: %s\n", fault.what());
  }
}

void event_log::allocated(const allocation& block, stream_id stream, tag what) noexcept {
  if (block.address == nullptr) return;
  line(*this, trace_operation::allocate) << number_of(block) << stream << block.requested << what;
}

void event_log::refused(bytes requested, stream_id stream, tag what) noexcept {
  line(*this, trace_operation::allocate) << 2 * refused_++ + 1 << stream << requested << what;
}

void event_log::freed(const allocation& block) noexcept {
  if (block.address == nullptr) return;
  line(*this, trace_operation::free) << number_of(block);
}

void event_log::used(const allocation& block, stream_id stream) noexcept {
  if (block.address == nullptr) return;
  line(*this, trace_operation::use) << number_of(block) << stream;
}

void event_log::completed(stream_id stream) noexcept {
  line(*this, trace_operation::complete) << stream;
}

void event_log::emptied_cache() noexcept { line(*this, trace_operation::empty_cache); }

void event_log::reset_peaks() noexcept { line(*this, trace_operation::reset_peaks); }

void event_log::flush() noexcept {
  file_.append({buffer_.data(), filled_});
  filled_ = 0;
}

}  // namespace headroom
