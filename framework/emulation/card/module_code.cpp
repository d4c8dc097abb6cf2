// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "module_code.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "layout_at.hpp"

namespace headroom::emulation {
namespace {

// The layout is not documented: seen in what nvcc 13.0 makes, and checked by a test with it.
struct wrapper_layout {
  std::uint32_t magic;
  std::uint32_t version;
  const char* pieces;
};
struct container_layout {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_size;
  std::uint64_t size;
};
struct piece_layout {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_size;
  std::uint64_t size;
  std::uint32_t compressed_size;
  std::uint32_t options;
  std::uint16_t minor;
  std::uint16_t major;
  std::uint32_t architecture;
};
constexpr std::uint32_t wrapper_magic = 0x466243B1;
constexpr std::uint32_t container_magic = 0xBA55ED50;
constexpr std::uint16_t portable_kind = 1;
constexpr std::uint16_t machine_kind = 2;

}  // namespace

bool is_packed_code(const void* image) {
  if (image == nullptr) return false;
  // Byte by byte: what is something else may end anywhere.
  for (const std::uint32_t magic : {wrapper_magic, container_magic}) {
    char wanted[sizeof magic];
    std::memcpy(wanted, &magic, sizeof magic);
    if (std::equal(wanted, wanted + sizeof magic, static_cast<const char*>(image))) return true;
  }
  return false;
}

std::vector<code_piece> pieces_of(const void* image) {
  if (!is_packed_code(image)) return {};
  const auto* begin = static_cast<const char*>(image);
  if (layout_at<std::uint32_t>(begin) == wrapper_magic)
    begin = layout_at<wrapper_layout>(begin).pieces;
  if (begin == nullptr || layout_at<std::uint32_t>(begin) != container_magic) return {};
  const auto container = layout_at<container_layout>(begin);
  const char* at = begin + container.header_size;
  const char* const end = at + container.size;
  std::vector<code_piece> found;
  while (at + sizeof(piece_layout) <= end) {
    const auto each = layout_at<piece_layout>(at);
    if (each.header_size < sizeof(piece_layout)) break;
    if (each.kind == portable_kind || each.kind == machine_kind) {
      found.push_back({each.kind == portable_kind, static_cast<int>(each.architecture),
                       at + each.header_size, each.size});
    }
    at += each.header_size + each.size;
  }
  return found;
}

module_code::module_code(const void* wrapper) : pieces_(pieces_of(wrapper)) {}

bool module_code::runs_on(int major, int minor) const {
  if (pieces_.empty()) return true;
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const code_piece& each) {
    if (each.portable) return each.architecture <= major * 10 + minor;
    return each.architecture / 10 == major && each.architecture % 10 <= minor;
  });
}

loaded_code module_code::loaded_on(int major, int minor) const {
  const int device = major * 10 + minor;
  int machine = 0;
  int portable = 0;
  for (const code_piece& each : pieces_) {
    if (each.architecture > device) continue;
    if (each.portable) portable = std::max(portable, each.architecture);
    if (!each.portable && each.architecture / 10 == major) {
      machine = std::max(machine, each.architecture);
    }
  }
  if (machine > 0) return {machine, machine};
  return {device, portable > 0 ? portable : device};
}

}  // namespace headroom::emulation
