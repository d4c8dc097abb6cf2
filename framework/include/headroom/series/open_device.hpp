// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <headroom/device/allocator_choice.hpp>
#include <headroom/device/device.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// A device as a person names it: "cpu", "cpu:8GB" (the host, as if it had so much), "plan:24GB",
/// "cuda:0", "cuda:GPU-8932f937", "auto".
struct device_request {
  std::string text;  ///< as written
  bool automatic = false;
  device_kind kind = device_kind::cpu;
  int index = 0;                  ///< cuda:N
  std::string uuid;               ///< cuda:GPU-..., cuda:MIG-..., or the beginning of one; else ""
  std::optional<bytes> capacity;  ///< plan:SIZE, cpu:SIZE
};

/// @throws usage_error with the forms there are
[[nodiscard]] device_request parse_device_request(std::string_view text);

/// Opens the device. `auto` is cuda:0 where there is one, else cpu.
/// @throws device_error when it is not there; says what is missing
/// @throws usage_error when it has not what the allocator needs
[[nodiscard]] std::unique_ptr<device> open_device(const device_request& request,
                                                  const allocator_choice& choice = {});

/// Whether a request can be met, and if not, why.
struct device_availability {
  bool available = false;
  std::string reason;
};
[[nodiscard]] device_availability find_device(const device_request& request);

/// Backends of this build: "cpu", "plan" and, where built in, "cuda".
[[nodiscard]] std::vector<std::string> built_backends();

}  // namespace headroom
