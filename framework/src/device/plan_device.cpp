// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/plan_device.hpp>
#include <utility>

namespace headroom {

plan_device::plan_device(std::string_view size, const allocator_choice& choice)
    : plan_device(fmt::format("plan:{}", size), size_from_text(size.substr(0, size.find('#'))),
                  choice) {}

plan_device::plan_device(bytes capacity, const allocator_choice& choice)
    : plan_device(fmt::format("plan:{}B", capacity.n), capacity, choice) {}

plan_device::plan_device(std::string id, bytes capacity, const allocator_choice& choice)
    : ticketed_device(device_info{.id = id,
                                  .kind = device_kind::plan,
                                  .name = "addresses without memory",
                                  .uuid = {},
                                  .compute_capability = {},
                                  .capacity = capacity},
                      std::make_unique<address_segments>(capacity, id), choice) {}

void plan_device::copy_to_device(void*, const void*, bytes, stream_id) {}

void plan_device::copy_to_host(void*, const void*, bytes size, stream_id) {
  throw usage_error(fmt::format(
      "{}: {} B cannot be copied to the host, as memory here has no contents; ask computes() first",
      info().id, size.n));
}

void plan_device::copy_on_device(void*, const void*, bytes, stream_id) {}
void plan_device::fill_zero(void*, bytes, stream_id) {}

}  // namespace headroom
