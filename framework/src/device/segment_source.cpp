// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/error.hpp>
#include <headroom/device/segment_source.hpp>

namespace headroom {

void* segment_source::reserve_range(bytes) {
  throw usage_error("this segment source has no address ranges");
}
void segment_source::release_range(void*, bytes) noexcept {}
bool segment_source::map(void*, bytes) {
  throw usage_error("this segment source has no address ranges");
}
void segment_source::unmap(void*, bytes) noexcept {}

}  // namespace headroom
