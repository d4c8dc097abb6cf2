// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <headroom/core/json_document.hpp>
#include <headroom/core/quoted_text.hpp>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "json_syntax.hpp"

namespace headroom {
namespace {

using detail::json_cursor;

/// Hands the text to the parser and keeps count of what it took.
class counting_iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  counting_iterator() = default;
  explicit counting_iterator(json_cursor& cursor) : cursor_(&cursor) {}

  reference operator*() const { return cursor_->text[cursor_->taken]; }
  counting_iterator& operator++() {
    cursor_->take();
    return *this;
  }
  void operator++(int) { cursor_->take(); }
  friend bool operator==(const counting_iterator& a, const counting_iterator& b) {
    return a.at_end() == b.at_end();
  }
  friend bool operator!=(const counting_iterator& a, const counting_iterator& b) {
    return !(a == b);
  }

 private:
  [[nodiscard]] bool at_end() const {
    if (cursor_ == nullptr) return true;
    if (cursor_->taken < cursor_->text.size()) return false;
    cursor_->saw_end = true;
    return true;
  }

  json_cursor* cursor_ = nullptr;
};

/// Builds the document from the parser's events. A false answer stops the parser.
class builder : public nlohmann::json::json_sax_t {
 public:
  builder(json_cursor& cursor, std::string_view file, const json_limits& limits,
          json_result& result)
      : cursor_(cursor), file_(file), limits_(limits), result_(result) {}

  bool null() override { return add(json_kind::null) != nullptr; }
  bool boolean(bool value) override {
    json_node* const node = add(json_kind::boolean);
    if (node != nullptr) node->truth = value;
    return node != nullptr;
  }
  bool number_integer(number_integer_t) override { return add_number(); }
  bool number_unsigned(number_unsigned_t) override { return add_number(); }
  bool number_float(number_float_t, const string_t&) override { return add_number(); }
  bool string(string_t& value) override {
    json_node* const node = add(json_kind::string);
    if (node != nullptr) node->text = std::move(value);
    return node != nullptr;
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json_kind::object); }
  bool start_array(std::size_t) override { return open(json_kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    key_ = std::move(name);
    const auto [first, is_new] = open_.back().keys.emplace(key_, cursor_.line);
    skip_ = !is_new;
    if (skip_) {
      report(cursor_.line, fmt::format("key {} stands a second time, first in line {}; remove one",
                                       quoted_text(key_), first->second));
    }
    return true;
  }

  bool parse_error(std::size_t, const std::string& token,
                   const nlohmann::detail::exception& failure) override {
    detail::syntax_fault fault;
    fault.token = token;
    fault.out_of_range = failure.id == 406;
    int line = cursor_.line_before;
    if (!open_.empty()) {
      fault.container = open_.back().node;
    } else if (root_ != nullptr) {
      const std::size_t begin =
          std::min(cursor_.text.find_first_not_of(" \t\r\n", root_end_), cursor_.taken - 1);
      fault.rest = cursor_.text.substr(begin, cursor_.text.find_last_not_of(" \t\r\n") + 1 - begin);
      line = 1 + static_cast<int>(
                     std::count(cursor_.text.begin(),
                                cursor_.text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    }
    report(line, detail::explain_syntax(cursor_, fault));
    return false;
  }

  std::unique_ptr<json_node> take_root() { return std::move(root_); }

 private:
  struct open_container {
    json_node* node;
    std::unordered_map<std::string, int> keys;  // with the line of each
  };

  /// Pointer of the value that is due next, or of the open container between values.
  [[nodiscard]] std::string here() const {
    std::string pointer;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const json_node& node = *open_[i].node;
      const bool last = i + 1 == open_.size();
      if (node.kind == json_kind::array) {
        if (!last) pointer += fmt::format("/{}", node.children.size() - 1);
      } else if (const std::string& name = last ? key_ : open_[i + 1].node->key; !name.empty()) {
        pointer += '/' + pointer_step(name);
      }
    }
    return pointer;
  }

  void report(int line, std::string message) {
    result_.problems.push_back({std::string(file_), line, here(), std::move(message)});
  }

  json_node* add(json_kind kind, bool look_ahead = false) {
    if (++values_ > limits_.values) {
      report(cursor_.line,
             fmt::format("more than {} values; is it the right file?", limits_.values));
      return nullptr;
    }
    json_node* node = nullptr;
    if (open_.empty()) {
      root_ = std::make_unique<json_node>();
      root_end_ = look_ahead ? cursor_.end_of_number() : cursor_.taken;
      node = root_.get();
    } else if (skip_) {
      node = &skipped_.emplace_back();
    } else {
      node = &open_.back().node->children.emplace_back();
    }
    node->kind = kind;
    node->line = look_ahead ? cursor_.line_before : cursor_.line;
    node->key = std::exchange(key_, {});
    skip_ = false;
    return node;
  }

  // The value of a number is read off the text: the parser's own has gone through a double.
  bool add_number() {
    json_node* const node = add(json_kind::number, true);
    if (node != nullptr) node->text = cursor_.last_number();
    return node != nullptr;
  }

  bool open(json_kind kind) {
    if (open_.size() == limits_.depth) {
      report(cursor_.line,
             fmt::format("nested deeper than {} levels; is it the right file?", limits_.depth));
      return false;
    }
    json_node* const node = add(kind);
    if (node == nullptr) return false;
    open_.push_back({node, {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    root_end_ = cursor_.taken;
    return true;
  }

  json_cursor& cursor_;
  std::string_view file_;
  const json_limits& limits_;
  json_result& result_;
  std::unique_ptr<json_node> root_;
  std::size_t root_end_ = 0;
  std::vector<open_container> open_;
  std::deque<json_node> skipped_;  // values of doubled keys; a deque, so that they stay in place
  std::string key_;                // read, its value not yet
  bool skip_ = false;
  std::size_t values_ = 0;
};

void link_parents(json_node& node) {
  for (json_node& child : node.children) {
    child.parent = &node;
    link_parents(child);
  }
}

}  // namespace

json_result parse_json(std::string_view text, std::string_view file, const json_limits& limits) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  json_result result;
  if (text.starts_with(byte_order_mark)) {
    result.problems.push_back({std::string(file), 1, "",
                               "the file starts with a byte order mark; save it as UTF-8 without"});
    text.remove_prefix(byte_order_mark.size());
  }
  if (auto problem = detail::find_bad_text(text, file, limits)) {
    result.problems.push_back(std::move(*problem));
    return result;
  }
  json_cursor cursor{text};
  builder build(cursor, file, limits, result);
  if (!nlohmann::json::sax_parse(counting_iterator(cursor), counting_iterator(), &build)) {
    return result;
  }
  std::unique_ptr<json_node> root = build.take_root();
  link_parents(*root);
  result.document = std::move(root);
  return result;
}

}  // namespace headroom
