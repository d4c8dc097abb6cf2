// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// A library is a module of no context. Its kernels' handles serve as functions in every context.
#include "functions.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

namespace {

/// @param load  (session&, device&, loaded_module*&) -> result
template <class Load>
CUresult load_library(call which, CUlibrary* library, Load load) {
  return answer(which, [&](session& now) {
    if (library == nullptr) return result::invalid_value;
    loaded_module* made = nullptr;
    const result verdict = load(now, *now.all.devices.front(), made);
    if (verdict == result::success) *library = reinterpret_cast<CUlibrary>(made);
    return verdict;
  });
}

/// @param body  (session&, kernel&) -> result
template <class Body>
CUresult about_kernel(call which, CUkernel handle, Body body) {
  return answer(which, [&](session& now) {
    kernel* const known = function_of(handle);
    return known == nullptr ? result::invalid_handle : body(now, *known);
  });
}

}  // namespace

CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option*, void**, unsigned,
                           CUlibraryOption*, void**, unsigned) {
  return load_library(call::cuLibraryLoadData_, library,
                      [&](session& now, const device& on, loaded_module*& made) {
                        return load_module(now.all, on, image, true, made);
                      });
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option*, void**,
                               unsigned, CUlibraryOption*, void**, unsigned) {
  return load_library(call::cuLibraryLoadFromFile_, library,
                      [&](session& now, const device& on, loaded_module*& made) {
                        return load_module_file(now.all, on, file, true, made);
                      });
}

CUresult cuLibraryUnload(CUlibrary library) {
  return answer(call::cuLibraryUnload_, [&](session& now) {
    const loaded_module* const known = module_of(now.all, library);
    if (known == nullptr || known->device >= 0) return result::invalid_handle;
    for (const auto& each : now.all.devices) wait_for_device(now.all, now.lock, *each);
    return unload_module(now.all, library);
  });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return kernel_of(call::cuLibraryGetKernel_, library, name, kernel);
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return count_kernels(call::cuLibraryGetKernelCount_, library, count);
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned most, CUlibrary library) {
  return list_kernels(call::cuLibraryEnumerateKernels_, library, kernels, most);
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return about_module(call::cuLibraryGetModule_, library, [&](session&, loaded_module& of) {
    if (module == nullptr) return result::invalid_value;
    *module = reinterpret_cast<CUmodule>(&of);
    return result::success;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* at, std::size_t* size, CUlibrary library,
                            const char* name) {
  return variable_of(call::cuLibraryGetGlobal_, library, name, at, size);
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel handle) {
  return about_function(call::cuKernelGetFunction_, handle, [&](context_session&, kernel&) {
    if (function == nullptr) return result::invalid_value;
    *function = reinterpret_cast<CUfunction>(handle);
    return result::success;
  });
}

CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel handle) {
  return about_kernel(call::cuKernelGetLibrary_, handle, [&](session&, const kernel& of) {
    if (library == nullptr) return result::invalid_value;
    *library = static_cast<CUlibrary>(const_cast<void*>(of.module));
    return result::success;
  });
}

CUresult cuKernelGetName(const char** name, CUkernel handle) {
  return about_kernel(call::cuKernelGetName_, handle, [&](session&, const kernel& of) {
    if (name == nullptr) return result::invalid_value;
    *name = of.name;
    return result::success;
  });
}
