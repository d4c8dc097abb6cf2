// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <vector>

namespace headroom::emulation {

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
  struct piece {
    bool portable = false;
    int architecture = 0;  ///< 90 for 9.0
  };
  std::vector<piece> pieces_;
};

}  // namespace headroom::emulation
