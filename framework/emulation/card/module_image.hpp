// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "result.hpp"

namespace headroom::emulation {

/// Registers of a thread where the code is not read.
inline constexpr int assumed_registers = 32;

/// What a kernel's code says of it.
struct kernel_code {
  std::string name;  ///< mangled
  int registers = assumed_registers;
  std::uint64_t shared = 0;         ///< static, bytes of a block
  std::uint64_t local = 0;          ///< bytes of a thread
  std::uint64_t constant = 0;       ///< bytes of the module's own
  std::uint64_t most_threads = 0;   ///< of a block, as the program bound it; 0: nothing is said
  std::uint64_t exact_threads = 0;  ///< of a block, as the program fixed it; 0: nothing is said
  int machine = 0;                  ///< architecture that it runs on, 90 for 9.0
  int portable = 0;                 ///< that it was made from
};

/// What a module says of a variable of its own.
struct variable_code {
  std::string name;
  std::uint64_t size = 0;
  std::string contents;  ///< at first; shorter than the size: zeros follow
};

/// A module as it is loaded on a device: machine code (cubin), portable code (PTX), or several
/// packed together.
struct module_image {
  std::vector<kernel_code> kernels;
  std::vector<variable_code> variables;
  bool names_known = true;  ///< false: the code is compressed, and not read
};

/// Reads what cuModuleLoadData gets, which has its size within.
/// @param major, minor  of the device
/// @return invalid_image for what is no module, no_kernel_image where nothing in it runs on the
/// device
[[nodiscard]] result read_image(const void* image, int major, int minor, module_image& into);

/// Machine code, an ELF file.
/// @param most  bytes that there are at most
[[nodiscard]] result read_machine_code(const char* image, std::uint64_t most, int major, int minor,
                                       module_image& into);
/// Portable code, a text. It is not compiled: names, sizes and bounds are read, nothing else.
/// @param most  characters that there are at most; it ends before the first null
[[nodiscard]] result read_portable_code(const char* image, std::uint64_t most, int major, int minor,
                                        module_image& into);
/// Whether a text begins as portable code does: the driver looks no further.
[[nodiscard]] bool begins_as_portable_code(const char* image, std::uint64_t most);

}  // namespace headroom::emulation
