// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <headroom/core/error.hpp>
#include <headroom/device/host_segments.hpp>
#include <utility>

namespace headroom {
namespace {

constexpr std::size_t alignment = std::size_t{2} << 20;

std::size_t count_of(bytes size) { return static_cast<std::size_t>(size.n); }

/// Pages that begin at a multiple of 2 MiB; null when the system refuses.
void* take_pages(bytes size, int protection) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t wanted = (count_of(size) + page - 1) / page * page;
  void* const whole = mmap(nullptr, wanted + alignment, protection,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(whole);
  const std::uintptr_t aligned = (begin + alignment - 1) / alignment * alignment;
  char* const first = static_cast<char*>(whole) + (aligned - begin);
  if (aligned > begin) munmap(whole, aligned - begin);
  munmap(first + wanted, begin + alignment - aligned);
  return first;
}

}  // namespace

bytes physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) {
    throw device_error("cpu: the system does not tell its physical memory; give a capacity");
  }
  return bytes{std::int64_t{pages} * page};
}

host_segments::host_segments(bytes capacity, std::string device_id)
    : capacity_(capacity), device_id_(std::move(device_id)) {
  if (capacity.n <= 0) {
    throw usage_error(
        fmt::format("{}: the capacity is {} B; give one above zero", device_id_, capacity.n));
  }
}

void* host_segments::take(bytes size) {
  if (size > capacity_ - bytes{used_}) return nullptr;
  void* const address = take_pages(size, PROT_READ | PROT_WRITE);
  if (address != nullptr) used_ += size.n;
  return address;
}

void host_segments::give_back(void* address, bytes size) noexcept {
  munmap(address, count_of(size));
  used_ -= size.n;
}

void* host_segments::reserve_range(bytes size) { return take_pages(size, PROT_NONE); }

void host_segments::release_range(void* address, bytes size) noexcept {
  munmap(address, count_of(size));
}

bool host_segments::map(void* address, bytes size) {
  if (size > capacity_ - bytes{used_}) return false;
  if (mprotect(address, count_of(size), PROT_READ | PROT_WRITE) != 0) return false;
  used_ += size.n;
  return true;
}

void host_segments::unmap(void* address, bytes size) noexcept {
  madvise(address, count_of(size), MADV_DONTNEED);
  mprotect(address, count_of(size), PROT_NONE);
  used_ -= size.n;
}

}  // namespace headroom
