// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <charconv>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/device/rehearsal.hpp>

namespace headroom {
namespace {

constexpr std::array all_requests{request_kind::allocation, request_kind::segment};

[[noreturn]] void refuse(std::string_view text) {
  throw usage_error(
      fmt::format("rehearsal {}: write allocation:N or segment:N with N from 1 for the Nth "
                  "request, N+ for it and all later ones, N-M for a range",
                  quoted_text(text)));
}

/// Takes a number from 1 off the front of `rest`.
std::int64_t take_number(std::string_view& rest, std::string_view whole) {
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (failure != std::errc() || number < 1) refuse(whole);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return number;
}

rehearsed_refusal parse_one(std::string_view text) {
  for (const request_kind what : all_requests) {
    const std::string_view name = name_of(what);
    if (text.substr(0, name.size()) != name || text.substr(name.size(), 1) != ":") continue;
    std::string_view rest = text.substr(name.size() + 1);
    rehearsed_refusal result;
    result.what = what;
    result.first = take_number(rest, text);
    if (rest == "+") return result;
    result.last = result.first;
    if (rest.empty()) return result;
    if (rest.front() != '-') refuse(text);
    rest.remove_prefix(1);
    result.last = take_number(rest, text);
    if (!rest.empty() || *result.last < result.first) refuse(text);
    return result;
  }
  refuse(text);
}

}  // namespace

std::string_view name_of(request_kind kind) {
  return kind == request_kind::allocation ? "allocation" : "segment";
}

std::string rehearsal_plan::text() const {
  std::string text;
  for (const rehearsed_refusal& each : refusals) {
    if (!text.empty()) text += ',';
    text += fmt::format("{}:{}", name_of(each.what), each.first);
    if (!each.last) text += '+';
    if (each.last && *each.last != each.first) text += fmt::format("-{}", *each.last);
  }
  return text;
}

rehearsal_plan parse_rehearsal(std::string_view text) {
  rehearsal_plan plan;
  if (text.empty()) return plan;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    plan.refusals.push_back(parse_one(text.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  return plan;
}

bool rehearsal::refuses(request_kind what) {
  if (!begun_) return false;
  const std::int64_t number = ++asked_[static_cast<std::size_t>(what)];
  for (const rehearsed_refusal& each : plan_.refusals) {
    if (each.what != what || number < each.first || (each.last && *each.last < number)) continue;
    ++refused_;
    return true;
  }
  return false;
}

rehearsal_record rehearsal::record() const {
  return {plan_.text(), asked_[0], asked_[1], refused_};
}

}  // namespace headroom
