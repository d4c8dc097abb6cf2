// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/device/address_segments.hpp>
#include <utility>

namespace headroom {
namespace {

/// Above every address that a 64-bit Linux process can hold, so that a use of one is a fault.
constexpr std::uintptr_t first_address = std::uintptr_t{1} << 48;
constexpr std::uintptr_t gap = std::uintptr_t{2} << 20;

}  // namespace

address_segments::address_segments(bytes capacity, std::string device_id)
    : capacity_(capacity), next_(first_address), device_id_(std::move(device_id)) {
  if (capacity.n <= 0) {
    throw usage_error(
        fmt::format("{}: the capacity is {} B; give one above zero", device_id_, capacity.n));
  }
}

void* address_segments::next_addresses(bytes size) {
  void* const address = reinterpret_cast<void*>(next_);  // NOLINT: an address is a number here
  next_ += static_cast<std::uintptr_t>(size.n) + gap;
  return address;
}

bool address_segments::hold(bytes size) {
  const bytes used{used_};
  if (size > capacity_ - used) return false;
  used_ = (used + size).n;
  most_held_ = std::max(most_held_, used + size);
  return true;
}

void* address_segments::take(bytes size) { return hold(size) ? next_addresses(size) : nullptr; }

void address_segments::give_back(void*, bytes size) noexcept { used_ -= size.n; }

void* address_segments::reserve_range(bytes size) { return next_addresses(size); }
void address_segments::release_range(void*, bytes) noexcept {}

bool address_segments::map(void*, bytes size) { return hold(size); }

void address_segments::unmap(void*, bytes size) noexcept { used_ -= size.n; }

}  // namespace headroom
