// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/device/ticketed_device.hpp>
#include <utility>

namespace headroom {

ticketed_device::ticketed_device(device_info info, std::unique_ptr<segment_source> source,
                                 const allocator_choice& choice)
    : info_(std::move(info)), source_(std::move(source)), stack_(*source_, clock_, choice) {}

}  // namespace headroom
