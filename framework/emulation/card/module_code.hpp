// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <vector>

namespace headroom::emulation {

/// One of the codes that are packed together.
struct code_piece {
  bool portable = false;
  int architecture = 0;        ///< 90 for 9.0
  const char* data = nullptr;  ///< may be compressed
  std::uint64_t size = 0;
};
/// Whether it begins as packed code does, or as what names some. Reads four bytes at most.
[[nodiscard]] bool is_packed_code(const void* image);
/// @param image  packed code, or what names some; null and anything else: no pieces
[[nodiscard]] std::vector<code_piece> pieces_of(const void* image);

/// Architectures of a kernel's code as it is loaded on a device, 86 for 8.6.
struct loaded_code {
  int machine = 0;
  int portable = 0;  ///< that the machine code was made from
};

/// The architectures that a module carries code for, as the compiler packed it.
class module_code {
 public:
  module_code() = default;
  /// @param wrapper  what __cudaRegisterFatBinary gets; null, or of a shape not known here: nothing
  /// is
  ///                 known of the code, and it counts as fitting
  explicit module_code(const void* wrapper);

  /// Machine code runs on its own major version from its minor version on; portable code on every
  /// later architecture.
  [[nodiscard]] bool runs_on(int major, int minor) const;
  /// The newest machine code that runs there, else what is made of the newest portable code. Where
  /// nothing is known of the code, that of the device.
  [[nodiscard]] loaded_code loaded_on(int major, int minor) const;

 private:
  std::vector<code_piece> pieces_;
};

}  // namespace headroom::emulation
