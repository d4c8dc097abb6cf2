// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace headroom::caching {

/// Records that never move. A record given back is the next one handed out, so that steady work
/// allocates nothing and stays in few cache lines.
template <typename Record>
class record_store {
 public:
  [[nodiscard]] Record& make() {
    if (spare_.empty()) grow();
    Record* const record = spare_.back();
    spare_.pop_back();
    *record = Record{};
    return *record;
  }
  void drop(Record& record) { spare_.push_back(&record); }

 private:
  static constexpr std::size_t chunk_size = 512;
  void grow() {
    chunks_.push_back(std::make_unique<Record[]>(chunk_size));
    spare_.reserve(chunks_.size() * chunk_size);
    for (std::size_t i = chunk_size; i-- > 0;) spare_.push_back(&chunks_.back()[i]);
  }

  std::vector<std::unique_ptr<Record[]>> chunks_;
  std::vector<Record*> spare_;
};

}  // namespace headroom::caching
