// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "module_code.hpp"
#include "module_image.hpp"

namespace headroom::emulation {

/// The host's half of a kernel: reads its arguments as cudaLaunchKernel gets them.
using host_twin = void (*)(void** arguments);

/// A kernel that a module registered, or that the driver loaded.
struct kernel {
  const void* handle = nullptr;  ///< the address by which the program launches it
  const char* name = "";         ///< mangled
  bool loaded = false;           ///< by the driver: its code was read
  kernel_code code;              ///< as assumed where it was not read
  const void* module = nullptr;
  host_twin twin = nullptr;
  std::vector<std::size_t> argument_sizes;  ///< of the twin, in bytes
  std::uint64_t launched = 0;
  std::uint64_t left_out = 0;
  int dynamic_shared = 0;  ///< bytes allowed, by cudaFuncSetAttribute
  int carveout = -1;
};

/// A variable that a module registered.
struct variable {
  const void* handle = nullptr;
  const char* name = "";
  const void* module = nullptr;
  std::size_t size = 0;
  void** managed_pointer = nullptr;  ///< the program's own, null for what is not managed
  std::string contents;              ///< at first; zeros follow
  std::unordered_map<int, std::uint64_t> addresses;  ///< by device, once asked for
};

/// Everything that modules registered when they were loaded.
class kernel_registry {
 public:
  /// @param wrapper  as module_code has it
  void add_module(const void* module, const void* wrapper);
  void add(const void* module, const void* handle, const char* name);
  void add(const void* module, const variable& described);
  void remove_module(const void* module);
  /// Of a module that the driver loaded.
  void add_loaded(const void* module, const void* handle, kernel_code code);
  void remove_loaded(const void* module);

  /// @return null where nothing was registered under the address
  [[nodiscard]] kernel* find(const void* handle);
  [[nodiscard]] variable* find_variable(const void* handle);
  /// Those that are gone are counted together by their names.
  [[nodiscard]] std::vector<const kernel*> launched() const;
  [[nodiscard]] std::vector<variable*> managed_variables();

  /// Whether the kernel's module has code for the architecture.
  [[nodiscard]] bool runs_on(const kernel& which, int major, int minor) const;
  /// Of the kernel's module.
  [[nodiscard]] loaded_code loaded_on(const kernel& which, int major, int minor) const;

  /// As headroom_emulation_set_host_twin. The kernel need not be registered yet.
  void set_twin(const void* handle, host_twin twin, std::vector<std::size_t> sizes);

 private:
  /// Of one module. Programs have hundreds of them and ten thousand kernels, and take each module
  /// away when they end: looking through all kernels for each took PyTorch half a second.
  struct registered {
    module_code code;
    std::vector<const void*> kernels;
    std::vector<const void*> variables;
  };
  std::unordered_map<const void*, kernel> kernels_;
  std::unordered_map<const void*, variable> variables_;
  std::unordered_map<const void*, registered> modules_;
  std::map<std::string, kernel, std::less<>> gone_;  // of unloaded modules, by name
};

}  // namespace headroom::emulation

extern "C" {
/// Names the host's half of a kernel: launches of it are queued on their stream and run on the
/// host, in order, on memory whose contents are kept (HEADROOM_EMULATED_CONTENTS=all).
/// @param kernel          the address that cudaLaunchKernel gets
/// @param twin            runs the kernel from copies of its arguments, made at the launch
/// @param argument_sizes  in bytes, in order; each argument is copied to an address aligned to 16
void headroom_emulation_set_host_twin(const void* kernel, void (*twin)(void** arguments),
                                      const std::size_t* argument_sizes,
                                      std::size_t argument_count);
/// How many launches were left out in this process: of kernels without a host twin, and of all
/// kernels where contents are not kept.
std::uint64_t headroom_emulation_launches_left_out();
}
