// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "other_libraries.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace headroom::emulation {
namespace {

struct search {
  std::string own_folder;
  bool runtime_is_ours = false;
  std::string found;
};

/// The real folder of a file, whatever way it was named when it was loaded.
std::string folder_of(const char* path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path, nullptr), std::free);
  const std::string whole = real ? real.get() : path;
  const std::size_t slash = whole.rfind('/');
  return slash == std::string::npos ? "" : whole.substr(0, slash);
}

/// Whether what the process looks up by name finds the emulation's runtime: then another that a
/// path was given for, as PyTorch does with every library of NVIDIA's packages, lies idle.
bool runtime_is_ours(const std::string& own_folder) {
  // Of the whole process: RTLD_DEFAULT would find what this library alone is loaded with.
  void* const process = dlopen(nullptr, RTLD_LAZY);
  if (process == nullptr) return false;
  void* const call = dlsym(process, "cudaMalloc");
  dlclose(process);
  Dl_info found{};
  return call != nullptr && dladdr(call, &found) != 0 && folder_of(found.dli_fname) == own_folder;
}

int look_at(dl_phdr_info* library, std::size_t, void* data) {
  search& wanted = *static_cast<search*>(data);
  const std::string_view path = library->dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.starts_with("libcuda.so") && !name.starts_with("libcudart.so")) return 0;
  if (folder_of(library->dlpi_name) == wanted.own_folder) return 0;
  if (name.starts_with("libcuda.so")) {
    wanted.found = "both an emulated card and a driver (" + std::string(path) +
                   ") are in this process; put the emulation's folder first in LD_LIBRARY_PATH, or "
                   "leave it out to use the driver";
    return 1;
  }
  const bool emulated = name.starts_with("libcudart.so.12") || name.starts_with("libcudart.so.13");
  if (emulated && wanted.runtime_is_ours) return 0;
  wanted.found =
      emulated
          ? "the CUDA runtime in this process is " + std::string(path) +
                ", not the emulation's; put the emulation's folder first in LD_LIBRARY_PATH, or "
                "name its library in LD_PRELOAD where a program's own search path comes first"
          : "the program uses " + std::string(path) +
                "; runtimes of CUDA 12 and 13 are emulated, and no others";
  return 1;
}

}  // namespace

std::string conflicting_library() {
  Dl_info own{};
  search wanted;
  if (dladdr(reinterpret_cast<const void*>(&conflicting_library), &own) != 0) {
    wanted.own_folder = folder_of(own.dli_fname);
    wanted.runtime_is_ours = runtime_is_ours(wanted.own_folder);
  }
  dl_iterate_phdr(look_at, &wanted);
  return wanted.found;
}

bool caching_allocator_loaded() {
  const auto look = [](dl_phdr_info* library, std::size_t, void*) {
    const std::string_view path = library->dlpi_name;
    return path.substr(path.rfind('/') + 1).starts_with("libc10_cuda.so") ? 1 : 0;
  };
  return dl_iterate_phdr(look, nullptr) != 0;
}

}  // namespace headroom::emulation
