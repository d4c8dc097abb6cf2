// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "cublas_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <string>

// Some of the names are macros for a version of the call.
#define HEADROOM_TEXT_OF(name) #name
#define HEADROOM_NAME_OF(call) HEADROOM_TEXT_OF(call)

namespace headroom::kernels {
namespace {

template <class Function>
void look_up(void* library, const char* file, const char* name, Function& into) {
  into = reinterpret_cast<Function>(dlsym(library, name));
  if (into == nullptr) {
    throw device_error(fmt::format("cuBLAS: {} has no call {}; use the library of CUDA {}", file,
                                   name, CUBLAS_VER_MAJOR));
  }
}

void* open(const char* file, const char* folder) {
  void* const found = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (found != nullptr) return found;
  const std::string why = dlerror();
  void* const there = dlopen(fmt::format("{}/{}", folder, file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (there != nullptr) return there;
  throw device_error(fmt::format(
      "cuBLAS: {} is not where the loader looks, nor in {}; put the folder that holds it "
      "on LD_LIBRARY_PATH ({})",
      file, folder, why));
}

}  // namespace

cublas_library cublas_library::load(const char* file, const char* folder) {
  void* const library = open(file, folder);
  cublas_library calls;
  look_up(library, file, HEADROOM_NAME_OF(cublasCreate), calls.create);
  look_up(library, file, HEADROOM_NAME_OF(cublasDestroy), calls.destroy);
  look_up(library, file, HEADROOM_NAME_OF(cublasSetStream), calls.set_stream);
  look_up(library, file, HEADROOM_NAME_OF(cublasSetWorkspace), calls.set_workspace);
  look_up(library, file, HEADROOM_NAME_OF(cublasSetMathMode), calls.set_math_mode);
  look_up(library, file, HEADROOM_NAME_OF(cublasSgemm), calls.sgemm);
  look_up(library, file, HEADROOM_NAME_OF(cublasGemmEx), calls.gemm_ex);
  look_up(library, file, HEADROOM_NAME_OF(cublasGetStatusName), calls.status_name);
  look_up(library, file, HEADROOM_NAME_OF(cublasGetStatusString), calls.status_text);
  return calls;
}

const cublas_library& cublas_library::loaded() {
  static const cublas_library library = load(HEADROOM_CUBLAS_FILE, HEADROOM_CUDA_LIBRARIES);
  return library;
}

}  // namespace headroom::kernels
