// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/host_segments.hpp>
#include <string>
#include <utility>

namespace headroom {
namespace {

/// "model name" of the first processor, or "host" where the system does not tell.
std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "host";
}

device_info info_of(bytes capacity, const std::string& id) {
  return {.id = id,
          .kind = device_kind::cpu,
          .name = processor_name(),
          .uuid = {},
          .compute_capability = {},
          .capacity = capacity};
}

/// A line "NAME: NUMBER kB" of /proc/meminfo.
std::optional<bytes> memory_line(std::string_view name) {
  std::ifstream in("/proc/meminfo");
  for (std::string word; in >> word;) {
    std::int64_t kibibytes = 0;
    if (word == name && in >> kibibytes) return bytes{kibibytes * 1024};
  }
  return std::nullopt;
}

std::optional<bytes> resident_memory() {
  std::ifstream in("/proc/self/statm");
  std::int64_t whole = 0;
  std::int64_t resident = 0;
  const long page = sysconf(_SC_PAGESIZE);
  if (!(in >> whole >> resident) || page <= 0) return std::nullopt;
  return bytes{resident * page};
}

void copy(void* to, const void* from, bytes size) {
  if (size.n > 0) std::memcpy(to, from, static_cast<std::size_t>(size.n));
}

}  // namespace

cpu_device::cpu_device(const allocator_choice& choice, std::optional<bytes> capacity,
                       const std::string& id)
    : ticketed_device(info_of(capacity ? *capacity : physical_memory(), id),
                      std::make_unique<host_segments>(capacity ? *capacity : physical_memory(), id),
                      choice) {}

system_reading cpu_device::read_system() const {
  return {.free = memory_line("MemAvailable:"),
          .total = memory_line("MemTotal:"),
          .process = resident_memory(),
          .reserved = {},
          .process_reason = ""};
}

void cpu_device::copy_to_device(void* to, const void* from, bytes size, stream_id) {
  copy(to, from, size);
}
void cpu_device::copy_to_host(void* to, const void* from, bytes size, stream_id) {
  copy(to, from, size);
}
void cpu_device::copy_on_device(void* to, const void* from, bytes size, stream_id) {
  if (size.n > 0) std::memmove(to, from, static_cast<std::size_t>(size.n));
}
void cpu_device::fill_zero(void* to, bytes size, stream_id) {
  if (size.n > 0) std::memset(to, 0, static_cast<std::size_t>(size.n));
}

}  // namespace headroom
