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
/// "cuda:0", "cuda:GPU-8932f937", "auto"; several, all of one series, as a list: "cuda:0,cuda:1",
/// or "plan:24GB*2". A number tells alike ones apart: "plan:24GB#0", "plan:24GB#1".
struct device_request {
  std::string text;  ///< as written, all of the list
  bool automatic = false;
  bool chosen = false;  ///< what `auto` was found to mean
  device_kind kind = device_kind::cpu;
  int index = 0;                  ///< cuda:N
  std::string uuid;               ///< cuda:GPU-..., cuda:MIG-..., or the beginning of one; else ""
  std::optional<bytes> capacity;  ///< plan:SIZE, cpu:SIZE
  std::string id;                 ///< of cpu and plan: "plan:24GB#1"
  std::vector<device_request> others;  ///< further devices of the same series, in order

  /// How many devices it names.
  [[nodiscard]] int count() const { return 1 + static_cast<int>(others.size()); }
};

/// The request for a workload that runs on `count` devices (workload::device_count): one cpu or
/// plan stands for so many alike, `auto` for cuda:0 and the following, where there are as many,
/// else for the host.
/// @throws usage_error when it names another number of devices
[[nodiscard]] device_request request_for(const device_request& request, int count);

/// @throws usage_error with the forms there are
[[nodiscard]] device_request parse_device_request(std::string_view text);

/// Opens the device. `auto` is cuda:0 where there is one, else cpu.
/// @throws device_error when it is not there; says what is missing
/// @throws usage_error when it has not what the allocator needs, or when several are named
[[nodiscard]] std::unique_ptr<device> open_device(const device_request& request,
                                                  const allocator_choice& choice = {});

/// Opens all devices of a request. @throws as open_device; usage_error when two names are one
/// device
[[nodiscard]] std::vector<std::unique_ptr<device>> open_devices(
    const device_request& request, const allocator_choice& choice = {});

/// As run_series takes them.
[[nodiscard]] std::vector<device*> pointers_to(const std::vector<std::unique_ptr<device>>& devices);

/// "cuda:0,cuda:1"
[[nodiscard]] std::string ids_of(const std::vector<std::unique_ptr<device>>& devices);

/// Whether a request can be met, and if not, why.
struct device_availability {
  bool available = false;
  std::string reason;
  bool emulated = false;  ///< it is there, and no GPU
};
[[nodiscard]] device_availability find_device(const device_request& request);

/// Backends of this build: "cpu", "plan" and, where built in, "cuda".
[[nodiscard]] std::vector<std::string> built_backends();

}  // namespace headroom
