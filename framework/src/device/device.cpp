// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/device/device.hpp>

namespace headroom {

std::string_view name_of(device_kind kind) {
  switch (kind) {
    case device_kind::cuda:
      return "cuda";
    case device_kind::cpu:
      return "cpu";
    case device_kind::plan:
      return "plan";
  }
  return "";
}

}  // namespace headroom
