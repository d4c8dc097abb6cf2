// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Portable code (PTX) is a text: directives, variables and functions, as NVIDIA documents it. It is
// not compiled here.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>

#include "attributes.hpp"
#include "module_image.hpp"

namespace headroom::emulation {
namespace {

using words = std::vector<std::string_view>;

bool part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

/// Words, numbers, texts in quotes, and each other character for itself; comments are left out.
words words_of(std::string_view text) {
  words all;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t length = 1;
    if (rest.starts_with("//")) {
      length = std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      length = end == std::string_view::npos ? rest.size() : end + 2;
    } else if (rest.front() == '"') {
      const std::size_t end = rest.find('"', 1);
      length = end == std::string_view::npos ? rest.size() : end + 1;
    } else if (part_of_word(rest.front())) {
      while (length < rest.size() && part_of_word(rest[length])) ++length;
      all.push_back(rest.substr(0, length));
    } else if (std::isspace(static_cast<unsigned char>(rest.front())) == 0) {
      all.push_back(rest.substr(0, 1));
    }
    at += length;
  }
  return all;
}

std::uint64_t number_of(std::string_view word) {
  return std::strtoull(std::string(word).c_str(), nullptr, 0);
}

/// Bytes of ".b8", ".u32", ".f64"; 0 for another word.
std::uint64_t width_of(std::string_view type) {
  if (type.size() < 3 || type[0] != '.' || std::strchr("bsuf", type[1]) == nullptr) return 0;
  const std::uint64_t bits = number_of(type.substr(2));
  return bits % 8 == 0 ? bits / 8 : 0;
}

class reader {
 public:
  reader(words all, module_image& into) : all_(std::move(all)), into_(into) {}

  int version = 0;  ///< 90 for 9.0
  int target = 0;   ///< 90 for sm_90
  bool exact = false;

  void read() {
    while (at_ < all_.size()) {
      const std::string_view word = all_[at_++];
      if (word == ".version" && more()) {
        const std::string_view number = all_[at_++];
        version = static_cast<int>(number_of(number.substr(0, number.find('.')))) * 10;
        const std::size_t point = number.find('.');
        if (point != std::string_view::npos) {
          version += static_cast<int>(number_of(number.substr(point + 1)));
        }
      } else if (word == ".target" && more()) {
        const std::string_view name = all_[at_++];
        if (name.starts_with("sm_")) target = static_cast<int>(number_of(name.substr(3)));
        exact = name.ends_with('a');
      } else if (word == ".entry" && more()) {
        read_kernel();
      } else if (word == ".func") {
        skip_function();
      } else if (word == ".global" || word == ".const") {
        read_variable();
      } else if (word == "{") {
        skip_braces();
      }
    }
  }

 private:
  [[nodiscard]] bool more() const { return at_ < all_.size(); }

  /// After an opening brace: to behind its closing one.
  template <class Look>
  void through_braces(Look look) {
    for (int depth = 1; more() && depth > 0; ++at_) {
      if (all_[at_] == "{") ++depth;
      if (all_[at_] == "}") --depth;
      look();
    }
  }
  void skip_braces() {
    through_braces([] {});
  }
  void skip_function() {
    while (more() && all_[at_] != "{" && all_[at_] != ";") ++at_;
    if (more() && all_[at_++] == "{") skip_braces();
  }

  /// ".align 4 .v2 .b8 name[4][8]": stands behind it. @return its name and size
  std::pair<std::string_view, std::uint64_t> read_declared() {
    std::uint64_t size = 0;
    std::uint64_t lanes = 1;
    std::string_view name;
    for (; more() && name.empty(); ++at_) {
      const std::string_view word = all_[at_];
      if (word == ".align") {
        ++at_;
      } else if (word == ".v2" || word == ".v4") {
        lanes = number_of(word.substr(2));
      } else if (word == "(") {
        while (more() && all_[at_] != ")") ++at_;  // .attribute(.managed)
      } else if (word.front() != '.') {
        name = word;
      } else if (size == 0) {
        size = width_of(word);
      }
    }
    size *= lanes;
    while (at_ + 2 < all_.size() && all_[at_] == "[" && all_[at_ + 2] == "]") {
      size *= number_of(all_[at_ + 1]);
      at_ += 3;
    }
    const bool open_ended = more() && all_[at_] == "[";
    return {name, open_ended ? 0 : size};
  }

  void read_variable() {
    const auto [name, size] = read_declared();
    if (size > 0) into_.variables.push_back({std::string(name), size, {}});
    while (more() && all_[at_] != ";") ++at_;
  }

  void read_kernel() {
    kernel_code code;
    code.name = all_[at_++];
    for (; more() && all_[at_] != "{"; ++at_) {
      if (all_[at_] == ".maxntid") code.most_threads = read_product();
      if (all_[at_] == ".reqntid") code.exact_threads = read_product();
    }
    if (more()) ++at_;
    through_braces([&] {
      if (all_[at_] != ".shared" || at_ + 1 >= all_.size()) return;
      ++at_;
      code.shared += read_declared().second;
      --at_;
    });
    into_.kernels.push_back(std::move(code));
  }
  /// "256, 1, 1": stands on its last number.
  std::uint64_t read_product() {
    std::uint64_t product = 1;
    while (at_ + 1 < all_.size() && std::isdigit(static_cast<unsigned char>(all_[at_ + 1][0]))) {
      product *= number_of(all_[++at_]);
      if (at_ + 2 < all_.size() && all_[at_ + 1] == "," &&
          std::isdigit(static_cast<unsigned char>(all_[at_ + 2][0])) != 0) {
        ++at_;
      }
    }
    return product;
  }

  words all_;
  module_image& into_;
  std::size_t at_ = 0;
};

}  // namespace

bool begins_as_portable_code(const char* image, std::uint64_t most) {
  std::uint64_t at = 0;
  while (at < most && std::isspace(static_cast<unsigned char>(image[at])) != 0) ++at;
  for (const std::string_view begin : {".version", "//", "/*"}) {
    if (begin.size() <= most - at && std::strncmp(image + at, begin.data(), begin.size()) == 0) {
      return true;
    }
  }
  return false;
}

result read_portable_code(const char* image, std::uint64_t most, int major, int minor,
                          module_image& into) {
  reader text(words_of({image, strnlen(image, most)}), into);
  text.read();
  if (text.version == 0 || text.target == 0) return result::invalid_portable_code;
  // The first version of CUDA 13 is 9.0: both count on together.
  if (text.version > (driver_version / 1000 - 4) * 10 + driver_version % 1000 / 10) {
    return result::unsupported_portable_code;
  }
  const int device = major * 10 + minor;
  if (text.target > device || (text.exact && text.target != device)) {
    return result::invalid_portable_code;
  }
  for (kernel_code& each : into.kernels) {
    each.machine = device;
    each.portable = text.target;
  }
  return result::success;
}

}  // namespace headroom::emulation
