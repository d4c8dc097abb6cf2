// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/core/json_document.hpp>
#include <headroom/core/json_edit.hpp>

namespace headroom {
namespace {

/// Walks over JSON that is known to be valid.
class json_walker {
 public:
  explicit json_walker(std::string_view text) : text_(text) {}

  /// From the begin of a value. @param pointer  what is left of it, "" for this value
  std::optional<text_span> find(std::string_view pointer) {
    skip_space();
    if (pointer.empty()) {
      const std::size_t begin = at_;
      skip_value();
      return text_span{begin, at_};
    }
    pointer.remove_prefix(1);  // the slash
    const std::string_view step = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(step.size());
    if (text_[at_] == '{') return find_in_object(step, pointer);
    if (text_[at_] == '[') return find_in_array(step, pointer);
    return std::nullopt;
  }

 private:
  std::optional<text_span> find_in_object(std::string_view step, std::string_view rest) {
    for (++at_; skip_space(), text_[at_] != '}';) {
      const std::size_t begin = at_ + 1;
      skip_value();
      const std::string_view key = text_.substr(begin, at_ - begin - 1);
      skip_space();
      ++at_;  // the colon
      const bool plain = key.find('\\') == std::string_view::npos;
      if (plain && pointer_step(key) == step) return find(rest);
      skip_space();
      skip_value();
      skip_comma();
    }
    return std::nullopt;
  }

  std::optional<text_span> find_in_array(std::string_view step, std::string_view rest) {
    std::size_t index = 0;
    for (++at_; skip_space(), text_[at_] != ']'; ++index) {
      if (std::to_string(index) == step) return find(rest);
      skip_value();
      skip_comma();
    }
    return std::nullopt;
  }

  void skip_space() {
    while (at_ < text_.size() && text_.find_first_of(" \t\r\n", at_) == at_) ++at_;
  }
  void skip_comma() {
    skip_space();
    if (text_[at_] == ',') ++at_;
  }
  void skip_string() {
    for (++at_; text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }
  void skip_value() {
    if (text_[at_] == '"') return skip_string();
    if (text_[at_] != '{' && text_[at_] != '[') {
      at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      return;
    }
    int depth = 0;
    do {
      const char c = text_[at_];
      if (c == '"') {
        skip_string();
        continue;
      }
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      ++at_;
    } while (depth > 0);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Puts `insert` behind the last thing that stands before `end`.
std::string insert_before(std::string_view text, std::size_t end, std::string_view insert) {
  const std::size_t last = text.find_last_not_of(" \t\r\n", end - 1);
  return fmt::format("{}{}{}", text.substr(0, last + 1), insert, text.substr(last + 1));
}

}  // namespace

std::optional<text_span> find_json_value(std::string_view text, std::string_view pointer) {
  return json_walker(text).find(pointer);
}

std::string with_json_item(std::string_view text, std::string_view member, std::string_view item) {
  const auto array = find_json_value(text, fmt::format("/{}", pointer_step(member)));
  if (!array) {
    const text_span root = *find_json_value(text, "");
    return insert_before(text, root.end - 1,
                         fmt::format(",\n  \"{}\": [\n    {}\n  ]", member, item));
  }
  if (text[array->begin] != '[') {
    throw usage_error(fmt::format("\"{}\" is no array; make it one", member));
  }
  const bool empty = text.find_first_not_of(" \t\r\n", array->begin + 1) == array->end - 1;
  if (empty) {
    return fmt::format("{}[\n    {}\n  ]{}", text.substr(0, array->begin), item,
                       text.substr(array->end));
  }
  return insert_before(text, array->end - 1, fmt::format(",\n    {}", item));
}

}  // namespace headroom
