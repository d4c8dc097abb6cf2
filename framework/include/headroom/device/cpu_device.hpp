// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/ticketed_device.hpp>
#include <optional>
#include <string>

namespace headroom {

/// The host as a device: the id is "cpu". Work runs at once, on the calling thread; memory comes
/// through the same allocator as on a GPU. Its figures are predictions.
class cpu_device final : public ticketed_device {
 public:
  /// @param capacity what the device declares; by default the host's physical memory
  /// @param id       several of one series have different ones: "cpu#0", "cpu#1"
  /// @throws usage_error for a capacity that is not above zero
  explicit cpu_device(const allocator_choice& choice = {}, std::optional<bytes> capacity = {},
                      const std::string& id = "cpu");

  [[nodiscard]] system_reading read_system() const override;
  [[nodiscard]] bool computes() const override { return true; }
  void copy_to_device(void* to, const void* from, bytes size, stream_id stream) override;
  void copy_to_host(void* to, const void* from, bytes size, stream_id stream) override;
  void copy_on_device(void* to, const void* from, bytes size, stream_id stream) override;
  void fill_zero(void* to, bytes size, stream_id stream) override;
};

}  // namespace headroom
