// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "nccl_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace headroom::kernels {
namespace {

template <class Function>
bool look_up(void* library, const char* name, Function*& into, std::string& missing) {
  into = reinterpret_cast<Function*>(dlsym(library, name));
  if (into == nullptr && missing.empty()) missing = fmt::format("it has no call {}", name);
  return into != nullptr;
}

/// A library that the emulated card's folder holds shows that it is.
bool is_of_emulation(void* library) {
  return dlsym(library, "headroom_emulation_calls") != nullptr;
}

}  // namespace

nccl_search find_nccl(const char* file, const char* folder, bool emulated) {
  const std::string in_folder = fmt::format("{}/{}", folder, file);
  std::string why;
  void* library = nullptr;
  for (const char* each : {file, in_folder.c_str()}) {
    library = dlopen(each, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      if (why.empty()) why = dlerror();
    } else if (emulated && !is_of_emulation(library)) {
      why = fmt::format("{} is a real one, and the cards are emulated", each);
      dlclose(library);
      library = nullptr;
    }
    if (library != nullptr) break;
  }
  nccl_search result;
  if (library == nullptr) {
    result.missing =
        fmt::format("{} is not where the loader looks, nor in {} ({})", file, folder, why);
    return result;
  }
  nccl_library calls;
  std::string optional;
  look_up(library, "ncclGetLastError", calls.last_text, optional);
  std::string& missing = result.missing;
  if (look_up(library, "ncclGetVersion", calls.version, missing) &&
      look_up(library, "ncclGetErrorString", calls.result_text, missing) &&
      look_up(library, "ncclCommInitAll", calls.init_all, missing) &&
      look_up(library, "ncclCommDestroy", calls.destroy, missing) &&
      look_up(library, "ncclCommAbort", calls.abort, missing) &&
      look_up(library, "ncclCommGetAsyncError", calls.async_error, missing) &&
      look_up(library, "ncclGroupStart", calls.group_start, missing) &&
      look_up(library, "ncclGroupEnd", calls.group_end, missing) &&
      look_up(library, "ncclAllReduce", calls.all_reduce, missing)) {
    result.found = calls;
  } else {
    result.missing =
        fmt::format("{} cannot be used: {}; NCCL 2.4 or newer is needed", file, result.missing);
    dlclose(library);
  }
  return result;
}

const nccl_search& system_nccl(bool emulated) {
  static const nccl_search result = find_nccl("libnccl.so.2", HEADROOM_CUDA_LIBRARIES, emulated);
  return result;
}

std::string nccl_version_text(int code) {
  // Up to 2.8 a version has four digits.
  const int unit = code < 10000 ? 1000 : 10000;
  return fmt::format("{}.{}.{}", code / unit, code % unit / 100, code % 100);
}

}  // namespace headroom::kernels
