// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <headroom/device/device.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "process_view.hpp"

namespace headroom::cuda {

/// The driver's management library, loaded when the program runs: nothing links it, and where it is
/// missing its values are absent. Only what is read here is declared; NVML's own header is not
/// needed.
class nvml {
 public:
  /// The system's library, loaded once.
  [[nodiscard]] static const nvml& system();

  /// @param library name or path, as dlopen takes it
  explicit nvml(const char* library);
  ~nvml();
  nvml(const nvml&) = delete;
  nvml& operator=(const nvml&) = delete;

  /// "13.580.82, memory query 2, process query 3": what was loaded, and which versions of its
  /// queries it has. Absent where it was not loaded.
  [[nodiscard]] std::optional<std::string> version() const;
  /// Why it was not loaded; "" when it was.
  [[nodiscard]] const std::string& missing() const { return missing_; }

  /// "GPU-..." or "MIG-...": as NVML calls the device whose identifier ends in `digits`. Absent
  /// where it knows no such device. @param digits "8932f937-d72c-4106-c12f-20bd9faed9f6"
  [[nodiscard]] std::optional<std::string> uuid_of(std::string_view digits) const;

  /// What NVML says of a device and of a process on it. @param uuid as uuid_of gives it
  [[nodiscard]] system_reading read(const std::string& uuid, const process_view& own) const;

 private:
  struct calls;
  struct process_answer {
    std::optional<bytes> used;
    std::string reason;  ///< why it is absent
  };
  [[nodiscard]] process_answer read_process(void* device, bool mig, const process_view& own) const;
  [[nodiscard]] std::string words_of(int result) const;

  void* library_ = nullptr;
  std::unique_ptr<calls> calls_;
  std::string missing_;
};

}  // namespace headroom::cuda
