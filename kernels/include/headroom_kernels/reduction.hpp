// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <functional>
#include <headroom/device/device.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headroom::kernels {

/// What adds up the numbers of several devices. It matters on cards alone: others have the host.
enum class reduction_choice {
  automatic,  ///< NCCL where it is there, else the host
  nccl,
  host
};
[[nodiscard]] std::string_view name_of(reduction_choice which);  ///< "auto", "nccl", "host"
/// @throws usage_error that lists the names
[[nodiscard]] reduction_choice reduction_choice_from_name(std::string_view name);

/// Is told at which device, by its number, the next call is made; nothing: at all of them together.
using device_observer = std::function<void(std::optional<std::size_t> number)>;

/// Adds up numbers that several devices have, in float32, and gives the sum to each: every device
/// then holds the same bits. Takes no memory of the devices' allocators.
class reduction {
 public:
  virtual ~reduction() = default;
  reduction() = default;
  reduction(const reduction&) = delete;
  reduction& operator=(const reduction&) = delete;

  /// In stream order on each device. May wait for them.
  /// @param parts   `count` float32 on each device, in the order of the devices; replaced by the
  /// sum
  /// @param stream  of each device
  /// @throws device_error; the reduction is to be ended then
  virtual void add_up(std::span<void* const> parts, std::size_t count, stream_id stream,
                      const device_observer& at) = 0;
  /// "NCCL 2.28.9, float32", for the artifact.
  [[nodiscard]] virtual std::string text() const = 0;
};

/// @param devices  must outlive the reduction, and compute where it is used
/// @throws device_error  where NCCL is asked for and cannot be had: says where it was looked for
[[nodiscard]] std::unique_ptr<reduction> make_reduction(reduction_choice which,
                                                        std::span<device* const> devices);

}  // namespace headroom::kernels
