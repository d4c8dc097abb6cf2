// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/allocator_choice.hpp>
#include <headroom/device/device.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::cuda {

/// Toolkit this was built with, runtime loaded, driver installed: "13.0". Absent where not known.
struct versions {
  std::optional<std::string> toolkit;
  std::optional<std::string> runtime;
  std::optional<std::string> driver;
  std::optional<std::string> nvml;  ///< with the versions of its queries that are used
};
[[nodiscard]] versions read_versions();

/// How many devices the driver shows, and when there are none, why.
struct device_survey {
  int count = 0;
  std::string reason;
};
[[nodiscard]] device_survey survey_devices();

/// Whether the runtime in this process is the emulation's. Nothing can make it say otherwise.
[[nodiscard]] bool is_emulated();

/// The device with this name of NVML's, or whose name begins so: "GPU-8932f937", "MIG-...".
struct uuid_search {
  std::optional<int> index;
  std::string reason;  ///< why it was not found
};
[[nodiscard]] uuid_search find_uuid(std::string_view uuid);

/// Opens device `index` with the allocator that was chosen. The caching allocator takes segments
/// with cudaMalloc, or virtual memory where the settings ask for expandable segments.
/// @throws device_error when it is not there or does not answer
[[nodiscard]] std::unique_ptr<device> open_device(int index, const allocator_choice& choice);

}  // namespace headroom::cuda
