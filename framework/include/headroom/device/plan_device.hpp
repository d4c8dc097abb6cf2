// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/ticketed_device.hpp>
#include <string>
#include <string_view>

namespace headroom {

/// A device with addresses and no memory: work is left out, only the allocator runs. Its figures
/// are predictions.
class plan_device final : public ticketed_device {
 public:
  /// @param size "24GB"; the id keeps the text as it was given: "plan:24GB". Several of one series
  ///             have a number behind it: "24GB#1"
  /// @throws usage_error for a text that is not a size above zero
  explicit plan_device(std::string_view size, const allocator_choice& choice = {});
  /// The id is "plan:" and the exact bytes: "plan:24000000000B".
  explicit plan_device(bytes capacity, const allocator_choice& choice = {});

  /// Nothing was read: all values are absent.
  [[nodiscard]] system_reading read_system() const override { return {}; }
  [[nodiscard]] bool computes() const override { return false; }
  void copy_to_device(void* to, const void* from, bytes size, stream_id stream) override;
  /// @throws usage_error: there is nothing to read
  void copy_to_host(void* to, const void* from, bytes size, stream_id stream) override;
  void copy_on_device(void* to, const void* from, bytes size, stream_id stream) override;
  void fill_zero(void* to, bytes size, stream_id stream) override;

 private:
  plan_device(std::string id, bytes capacity, const allocator_choice& choice);
};

}  // namespace headroom
