// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "card.hpp"
#include "module_image.hpp"

namespace headroom::emulation {

/// A module that the driver's calls loaded, by its handle.
struct loaded_module {
  int device = -1;                             ///< -1: a library, which belongs to no device
  std::vector<std::unique_ptr<char>> handles;  ///< of its kernels, in order
  std::map<std::string, const void*, std::less<>> kernels;
  std::map<std::string, variable, std::less<>> variables;
  bool names_known = true;
};

/// Reads an image and registers its kernels. What it takes of the device's memory is part of what a
/// context is taken to take.
/// @param library  it is for every device, which are all alike
/// @param made     the handle
[[nodiscard]] result load_module(card& all, const device& on, const void* image, bool library,
                                 loaded_module*& made);
/// The same from a file. @return file_not_found where it cannot be read
[[nodiscard]] result load_module_file(card& all, const device& on, const char* file, bool library,
                                      loaded_module*& made);
/// Its kernels and variables are gone. @return invalid_handle for what is no loaded module
[[nodiscard]] result unload_module(card& all, const void* handle);
/// Those of a device, whose context ends.
void unload_modules(card& all, const device& of);

/// @return null for what is no loaded module
[[nodiscard]] loaded_module* module_of(card& all, const void* handle);
/// @return null where it has none of that name
[[nodiscard]] const void* kernel_in(loaded_module& of, std::string_view name);
/// Memory of its own for a variable of the module, with its first contents.
[[nodiscard]] result variable_in(card& all, device& on, loaded_module& of, std::string_view name,
                                 address& at, std::uint64_t& size);

}  // namespace headroom::emulation
