// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/attention.hpp>

namespace headroom::kernels {

/// Keys and values of the tokens that run, from position 0 on.
class fresh_keys final : public attention_keys {
 public:
  explicit fresh_keys(const kv_rows& rows) : rows_(rows) {}
  [[nodiscard]] std::int64_t count() const override { return rows_.count; }
  [[nodiscard]] std::int64_t first_position() const override { return 0; }
  [[nodiscard]] kv_rows read(std::int64_t first, std::int64_t count) override {
    return part_of(rows_, first, count);
  }

 private:
  kv_rows rows_;
};

}  // namespace headroom::kernels
