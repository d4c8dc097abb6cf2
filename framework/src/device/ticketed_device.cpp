// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/device/ticketed_device.hpp>
#include <utility>

namespace headroom {

ticketed_device::ticketed_device(device_info info, std::unique_ptr<segment_source> source,
                                 allocator_settings settings)
    : info_(std::move(info)),
      source_(std::move(source)),
      allocator_(*source_, clock_, std::move(settings)) {}

}  // namespace headroom
