// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "framework_statistics.hpp"

#include <elf.h>
#include <link.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>

namespace headroom::emulation {
namespace {

constexpr std::string_view allocator_name = "_ZN3c104cuda20CUDACachingAllocator9allocatorE";
constexpr std::string_view native_name =
    "_ZN3c104cuda20CUDACachingAllocator6Native22NativeCachingAllocator14getDeviceStatsEa";
constexpr std::string_view pools_name =
    "_ZN3c104cuda20CUDACachingAllocator15CudaMallocAsync24CudaMallocAsyncAllocator14getDeviceStatsE"
    "a";

struct library {
  std::string path;
  std::uintptr_t base = 0;
  std::uintptr_t end = 0;  ///< of its loaded segments
};

library find_library() {
  library found;
  const auto look = [](dl_phdr_info* each, std::size_t, void* data) {
    const std::string_view path = each->dlpi_name;
    if (!path.substr(path.rfind('/') + 1).starts_with("libc10_cuda.so")) return 0;
    auto& into = *static_cast<library*>(data);
    into.path = path;
    into.base = each->dlpi_addr;
    for (int i = 0; i < each->dlpi_phnum; ++i) {
      const auto& part = each->dlpi_phdr[i];
      if (part.p_type == PT_LOAD) into.end = into.base + part.p_vaddr + part.p_memsz;
    }
    return 1;
  };
  dl_iterate_phdr(look, &found);
  return found;
}

template <class Value>
bool read_at(const std::string& bytes, std::uint64_t at, Value& into) {
  if (at > bytes.size() || bytes.size() - at < sizeof into) return false;
  std::memcpy(&into, bytes.data() + at, sizeof into);
  return true;
}

/// Addresses in the loaded library of those of the three names that its symbol table has.
std::map<std::string_view, std::uintptr_t> find_names(const library& in) {
  std::ifstream file(in.path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::map<std::string_view, std::uintptr_t> found;
  Elf64_Ehdr header{};
  if (!read_at(bytes, 0, header)) return found;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr table{};
    Elf64_Shdr names{};
    if (!read_at(bytes, header.e_shoff + i * sizeof table, table)) break;
    if (table.sh_type != SHT_SYMTAB) continue;
    if (!read_at(bytes, header.e_shoff + table.sh_link * sizeof names, names)) break;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol{};
      if (!read_at(bytes, table.sh_offset + at, symbol)) break;
      const std::uint64_t place = names.sh_offset + symbol.st_name;
      for (const std::string_view wanted : {allocator_name, native_name, pools_name}) {
        if (place + wanted.size() < bytes.size() && symbol.st_value != 0 &&
            bytes.compare(place, wanted.size() + 1, std::string(wanted) + '\0') == 0) {
          found[wanted] = in.base + symbol.st_value;
        }
      }
    }
  }
  return found;
}

/// As PyTorch declares it: a count or a sum, with how much of it came and went.
struct statistic {
  std::int64_t current, peak, came, went;
};
/// Of all pools, of the small one, of the large one. Before allocated bytes there are four, the
/// next one is reserved bytes; what is behind differs with releases.
using statistic_of_pools = std::array<statistic, 3>;
struct statistics_of_device {
  std::array<statistic_of_pools, 4> counts;
  statistic_of_pools allocated, reserved;
  std::array<char, 16384> more;
};

}  // namespace

std::optional<framework_statistics> read_framework_statistics(int devices) {
#if defined(__x86_64__)
  const library in = find_library();
  if (in.path.empty()) return std::nullopt;
  const auto names = find_names(in);
  if (!names.contains(allocator_name)) return std::nullopt;
  void* self = nullptr;
  std::memcpy(&self, reinterpret_cast<const void*>(names.at(allocator_name)), sizeof self);
  if (self == nullptr) return std::nullopt;
  std::uintptr_t functions = 0;
  std::memcpy(&functions, self, sizeof functions);
  // What it returns is given room by its caller: a hidden first argument.
  using read_function = void (*)(void* into, void* self, signed char device);
  for (int i = 0; i < 64; ++i) {
    const std::uintptr_t at = functions + static_cast<std::uintptr_t>(i) * sizeof functions;
    if (at < in.base || at + sizeof at > in.end) return std::nullopt;  // an allocator of another's
    std::uintptr_t function = 0;
    std::memcpy(&function, reinterpret_cast<const void*>(at), sizeof function);
    for (const std::string_view name : {native_name, pools_name}) {
      const auto known = names.find(name);
      if (known == names.end() || known->second != function) continue;
      framework_statistics read;
      read.allocator = name == native_name ? "native" : "cudaMallocAsync";
      for (int device = 0; device < devices; ++device) {
        statistics_of_device room{};
        reinterpret_cast<read_function>(function)(&room, self, static_cast<signed char>(device));
        const statistic& allocated = room.allocated[0];
        const statistic& reserved = room.reserved[0];
        read.devices.push_back(
            {device, allocated.current, allocated.peak, reserved.current, reserved.peak});
      }
      return read;
    }
  }
#else
  static_cast<void>(devices);
#endif
  return std::nullopt;
}

}  // namespace headroom::emulation
