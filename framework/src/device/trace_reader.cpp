// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <headroom/core/quoted_text.hpp>
#include <headroom/device/trace_reader.hpp>

#include "plain_event.hpp"

namespace headroom {
namespace {

constexpr std::size_t longest_line = 1024;
constexpr std::size_t buffer_size = std::size_t{64} * 1024;
constexpr std::string_view first_line = "headroom-trace 1";

std::string excerpt(std::string_view text) { return quoted_text(text, 40); }

/// Takes the first word off a text whose words stand one space apart.
std::string_view take_word(std::string_view& text) {
  const std::size_t space = text.find(' ');
  const std::string_view word = text.substr(0, space);
  text = space == std::string_view::npos ? std::string_view{} : text.substr(space + 1);
  return word;
}

template <typename Number>
bool number_from(std::string_view word, Number& value) {
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  return fault == std::errc{} && end == word.data() + word.size() && word[0] != '-';
}

/// How an event is written; "" for a letter that opens none.
std::string_view form_of(char letter) {
  switch (letter) {
    case 'a':
      return "a ID STREAM BYTES [TAG]";
    case 'f':
      return "f ID";
    case 'u':
      return "u ID STREAM";
    case 's':
      return "s STREAM";
    case 'e':
      return "e";
    case 'r':
      return "r";
    default:
      return "";
  }
}

}  // namespace

trace_reader::trace_reader(std::istream& in, std::string name)
    : in_(&in), name_(std::move(name)), buffer_(buffer_size) {
  read_header();
}

void trace_reader::fail(std::string message) const {
  throw trace_error({.file = name_, .line = line_, .pointer = "", .message = std::move(message)});
}

void trace_reader::refuse_carriage_return(std::string_view text) const {
  if (!text.ends_with('\r')) return;
  fail(fmt::format(
      "found {}, which ends in a carriage return as on Windows; end lines with \\n alone",
      excerpt(text)));
}

/// Moves what is left to the front and reads on. @return false at the end of the input
bool trace_reader::fill() {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  in_->read(buffer_.data() + end_, static_cast<std::streamsize>(buffer_.size() - end_));
  end_ += static_cast<std::size_t>(in_->gcount());
  if (in_->bad()) fail("reading stopped with an error; is it a file that can be read?");
  return in_->gcount() > 0;
}

/// Valid until the next call.
std::optional<std::string_view> trace_reader::next_line() {
  while (true) {
    const char* const from = buffer_.data() + begin_;
    const std::size_t held = end_ - begin_;
    const void* const newline = held == 0 ? nullptr : std::memchr(from, '\n', held);
    const std::size_t length =
        newline == nullptr ? held
                           : static_cast<std::size_t>(static_cast<const char*>(newline) - from);
    if (length > longest_line) {
      ++line_;
      fail(fmt::format("found a line of more than {} bytes; write one event a line", longest_line));
    }
    if (newline != nullptr) {
      ++line_;
      begin_ += length + 1;
      const bool comment = line_ > 1 && length > 0 && *from == '#';
      if (comment) continue;
      return std::string_view(from, length);
    }
    if (fill()) continue;
    if (held == 0) return std::nullopt;
    ++line_;
    fail(fmt::format("found {} without an end of line; the trace is cut off, write it whole",
                     excerpt({from, length})));
  }
}

void trace_reader::read_header() {
  std::optional<std::string_view> text = next_line();
  if (!text) {
    line_ = 1;
    fail(fmt::format("the trace is empty; write \"{}\" as its first line", first_line));
  }
  refuse_carriage_return(*text);
  if (*text != first_line) {
    fail(fmt::format("found {}; write \"{}\" as the first line", excerpt(*text), first_line));
  }
  while ((text = next_line())) {
    std::string_view rest = *text;
    refuse_carriage_return(*text);
    const std::string_view word = take_word(rest);
    if (word == "capacity") {
      if (header_.capacity.n != 0) fail("found a second capacity; write one");
      if (!number_from(rest, header_.capacity.n) || header_.capacity.n == 0) {
        fail(fmt::format("found the capacity {}; write a number of bytes above zero",
                         excerpt(rest)));
      }
    } else if (word == "setting") {
      read_setting(rest);
    } else {
      break;
    }
  }
  if (header_.capacity.n == 0)
    fail("found no capacity; write \"capacity BYTES\" before the events");
  first_event_ = text;
}

void trace_reader::read_setting(std::string_view rest) {
  std::string_view value = rest;
  const std::string name(take_word(value));
  if (std::find(setting_names_.begin(), setting_names_.end(), name) != setting_names_.end()) {
    fail(fmt::format("found the setting {} a second time; write it once", excerpt(name)));
  }
  setting_names_.push_back(name);
  try {
    update_allocator_settings(header_.settings, fmt::format("{}:{}", name, value));
  } catch (const usage_error& fault) {
    fail(fault.what());
  }
}

std::optional<trace_event> trace_reader::next() {
  std::optional<std::string_view> text = first_event_;
  first_event_.reset();
  if (!text && end_ - begin_ >= longest_plain_event) {
    trace_event event;
    if (const std::size_t length = read_plain_event(buffer_.data() + begin_, event)) {
      begin_ += length;
      ++line_;
      return event;
    }
  }
  if (!text) text = next_line();
  if (!text) return std::nullopt;
  return event_of(*text);
}

trace_event trace_reader::event_of(std::string_view text) const {
  trace_event event;
  std::string_view rest = text;
  const std::string_view letter = take_word(rest);
  refuse_carriage_return(text);
  const std::string_view form = letter.size() == 1 ? form_of(letter[0]) : "";
  const auto number = [&](auto& value, const char* what) {
    const std::string_view word = take_word(rest);
    if (word.empty() || !number_from(word, value)) {
      fail(fmt::format("found {}; {} is missing, negative, too large or no number; write {}",
                       excerpt(text), what, form));
    }
  };
  if (form.empty()) refuse_line(text, letter);
  if (letter == "a" || letter == "f" || letter == "u") number(event.id, "the block's number");
  if (letter == "a" || letter == "u" || letter == "s") number(event.stream.n, "the stream");
  if (letter == "a") number(event.size.n, "the count of bytes");
  if (letter == "a" && !rest.empty()) event.what = tag_of(take_word(rest));
  if (!rest.empty()) {
    fail(fmt::format("found {}, with {} too much; write {}", excerpt(text), excerpt(rest), form));
  }
  event.operation = static_cast<trace_operation>(letter[0]);
  return event;
}

tag trace_reader::tag_of(std::string_view word) const {
  if (const std::optional<tag> what = tag_from_name(word)) return *what;
  std::string names;
  for (const tag each : all_tags)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(each));
  fail(fmt::format("found the tag {}; write one of {}, or none", excerpt(word), names));
}

void trace_reader::refuse_line(std::string_view text, std::string_view word) const {
  if (word == "capacity" || word == "setting") {
    fail(fmt::format("found {} behind an event; write it before the first", excerpt(text)));
  }
  fail(fmt::format("found {}; write an event: {}, {}, {}, {}, e or r", excerpt(text), form_of('a'),
                   form_of('f'), form_of('u'), form_of('s')));
}

}  // namespace headroom
