// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The text of PYTORCH_ALLOC_CONF. Which texts are taken and which are refused follows PyTorch, its
// leniency included: any token separates, a number ends where its digits end.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <headroom/core/error.hpp>
#include <headroom/device/allocator_settings.hpp>

namespace headroom {
namespace {

using namespace headroom::literals;

constexpr std::int64_t least_mebibytes = 20;
constexpr std::uint64_t most_mebibytes = std::uint64_t{1} << 42;  // 2^62 B: no block is that large

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> all;
  bool open = false;  // whether the last token may go on
  for (const char c : text) {
    if (c == ',' || c == ':' || c == '[' || c == ']') {
      all.emplace_back(1, c);
      open = false;
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      if (!open) all.emplace_back();
      all.back() += c;
      open = true;
    }
  }
  return all;
}

class settings_parser {
 public:
  settings_parser(allocator_settings& settings, std::string_view text)
      : tokens_(tokens_of(text)), settings_(settings) {}

  void read() {
    for (; at_ < tokens_.size(); at_ += 2) setting();  // on the value's end; then a separator
  }

 private:
  [[noreturn]] void refuse(const std::string& found, const std::string& advice) const {
    throw usage_error(fmt::format("allocator settings: {}: {}; {}", name_, found, advice));
  }

  [[nodiscard]] const std::string& token(std::size_t at) const {
    if (at >= tokens_.size()) refuse("the text ends before the value", "write NAME:VALUE");
    return tokens_[at];
  }

  /// The token's leading whole number.
  [[nodiscard]] std::uint64_t number(std::size_t at) const {
    const std::string& text = token(at);
    errno = 0;
    char* end = nullptr;
    const unsigned long long value = std::strtoull(text.c_str(), &end, 10);
    if (end == text.c_str() || errno == ERANGE) {
      refuse(fmt::format("found \"{}\"", text), "write a whole number");
    }
    return value;
  }

  /// The token's leading decimal number.
  [[nodiscard]] double fraction(std::size_t at) const {
    const std::string& text = token(at);
    errno = 0;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || errno == ERANGE) {
      refuse(fmt::format("found \"{}\"", text), "write a decimal number, for example 0.8");
    }
    return value;
  }

  [[nodiscard]] bytes mebibytes(std::size_t at) const {
    const std::uint64_t value = number(at);
    if (value < least_mebibytes) {
      refuse(fmt::format("found \"{}\"", token(at)),
             fmt::format("write a number of MiB, {} or more", least_mebibytes));
    }
    return static_cast<std::int64_t>(std::min(value, most_mebibytes)) * 1_MiB;
  }

  [[nodiscard]] bool boolean(std::size_t at) const {
    const std::string& text = token(at);
    if (text != "True" && text != "False") {
      refuse(fmt::format("found \"{}\"", text), "write True or False");
    }
    return text == "True";
  }

  void setting() {
    name_ = tokens_[at_];
    const std::size_t value = at_ + 2;
    if (name_ == "max_split_size_mb") {
      settings_.max_split_size = mebibytes(value);
    } else if (name_ == "max_non_split_rounding_mb") {
      settings_.max_non_split_rounding = mebibytes(value);
    } else if (name_ == "garbage_collection_threshold") {
      settings_.garbage_collection_threshold = fraction(value);
      if (!(*settings_.garbage_collection_threshold > 0 &&
            *settings_.garbage_collection_threshold < 1)) {
        refuse(fmt::format("found \"{}\"", token(value)), "write a number above 0 and below 1");
      }
    } else if (name_ == "per_process_memory_fraction") {
      settings_.per_process_memory_fraction = fraction(value);
      if (!(*settings_.per_process_memory_fraction >= 0 &&
            *settings_.per_process_memory_fraction <= 1)) {
        refuse(fmt::format("found \"{}\"", token(value)), "write a number from 0 to 1");
      }
    } else if (name_ == "expandable_segments") {
      settings_.expandable_segments = boolean(value);
    } else if (name_ == "roundup_power2_divisions") {
      return divisions(value);
    } else {
      throw usage_error(fmt::format(
          "allocator settings: unknown setting \"{}\"; write max_split_size_mb, "
          "max_non_split_rounding_mb, roundup_power2_divisions, garbage_collection_threshold, "
          "per_process_memory_fraction or expandable_segments",
          name_));
    }
    at_ = value;
  }

  void divisions(std::size_t value) {
    at_ = value;
    if (token(at_) == "[") return division_list();
    const std::uint64_t all = number(at_);
    if (!std::has_single_bit(all)) {
      refuse(fmt::format("found \"{}\" divisions", token(at_)), "write a power of two");
    }
    settings_.roundup_power2_divisions.fill(all);
  }

  /// [SIZE_IN_MIB:DIVISIONS, ... , >:DIVISIONS]
  void division_list() {
    auto& table = settings_.roundup_power2_divisions;
    bool first = true;
    std::size_t last = 0;
    for (++at_; token(at_) != "]"; ++at_) {
      const std::string& interval = token(at_);
      const std::uint64_t count = number(at_ + 2);
      if (count != 0 && !std::has_single_bit(count)) {
        refuse(fmt::format("found \"{}\" divisions", token(at_ + 2)),
               "write a power of two, or 0 to round to 512 bytes");
      }
      if (interval == ">") {
        std::fill(table.begin() + static_cast<std::ptrdiff_t>(last + 1), table.end(), count);
      } else {
        const std::uint64_t size = number(at_);
        if (!std::has_single_bit(size)) {
          refuse(fmt::format("found the interval \"{}\"", interval),
                 "write a number of MiB that is a power of two");
        }
        last = std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(size)) - 1,
                                     table.size() - 1);
        if (first) std::fill_n(table.begin(), last, count);
        first = false;
        table[last] = count;
      }
      at_ += 2;
      if (token(at_ + 1) != "]") ++at_;
    }
  }

  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
  std::string name_;
  allocator_settings& settings_;
};

}  // namespace

allocator_settings parse_allocator_settings(std::string_view text) {
  allocator_settings settings;
  update_allocator_settings(settings, text);
  return settings;
}

void update_allocator_settings(allocator_settings& settings, std::string_view text) {
  allocator_settings changed = settings;
  settings_parser(changed, text).read();
  settings = changed;
}

}  // namespace headroom
