// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "module_image.hpp"

#include <cstring>
#include <limits>

#include "module_code.hpp"

namespace headroom::emulation {
namespace {

constexpr char elf_begin[] = {0x7f, 'E', 'L', 'F'};

bool begins_as_machine_code(const char* image, std::uint64_t most) {
  return most >= sizeof elf_begin && std::memcmp(image, elf_begin, sizeof elf_begin) == 0;
}

result read_piece(const code_piece& each, int major, int minor, module_image& into) {
  if (begins_as_machine_code(each.data, each.size)) {
    return read_machine_code(each.data, each.size, major, minor, into);
  }
  if (each.portable && begins_as_portable_code(each.data, each.size)) {
    return read_portable_code(each.data, each.size, major, minor, into);
  }
  into.names_known = false;
  return result::success;
}

/// The newest machine code that runs on the device, else the newest portable code.
result read_packed(const void* image, int major, int minor, module_image& into) {
  const int device = major * 10 + minor;
  const code_piece* chosen = nullptr;
  const std::vector<code_piece> pieces = pieces_of(image);
  if (pieces.empty()) return result::invalid_image;
  for (const code_piece& each : pieces) {
    if (each.architecture > device || (!each.portable && each.architecture / 10 != major)) continue;
    const bool newer =
        chosen == nullptr || (chosen->portable && !each.portable) ||
        (chosen->portable == each.portable && chosen->architecture < each.architecture);
    if (newer) chosen = &each;
  }
  if (chosen == nullptr) return result::no_kernel_image;
  return read_piece(*chosen, major, minor, into);
}

}  // namespace

result read_image(const void* image, int major, int minor, module_image& into) {
  constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();
  const auto* const at = static_cast<const char*>(image);
  // Read byte by byte: what is no module may end anywhere.
  if (std::strncmp(at, elf_begin, sizeof elf_begin) == 0) {
    return read_machine_code(at, unknown, major, minor, into);
  }
  if (is_packed_code(image)) return read_packed(image, major, minor, into);
  if (begins_as_portable_code(at, unknown)) {
    return read_portable_code(at, unknown, major, minor, into);
  }
  return result::invalid_image;
}

}  // namespace headroom::emulation
