// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Modules are read: their kernels' names and sizes, not what the kernels do.
#include "functions.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

namespace {

CUresult load(call which, CUmodule* module, const void* image) {
  return answer_in_context(which, [&](context_session& now) {
    if (module == nullptr) return result::invalid_value;
    loaded_module* made = nullptr;
    const result verdict = load_module(now.all, now.on, image, false, made);
    if (verdict == result::success) *module = reinterpret_cast<CUmodule>(made);
    return verdict;
  });
}

/// Nothing is compiled, so nothing is logged.
void empty_logs(unsigned count, const CUjit_option* options, void** values) {
  constexpr int info_size = 4;
  constexpr int error_size = 6;
  for (unsigned i = 0; options != nullptr && values != nullptr && i < count; ++i) {
    const int option = static_cast<int>(options[i]);
    if (option == info_size || option == error_size) values[i] = nullptr;
  }
}

}  // namespace

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return answer_in_context(call::cuModuleLoad_, [&](context_session& now) {
    if (module == nullptr) return result::invalid_value;
    loaded_module* made = nullptr;
    const result verdict = load_module_file(now.all, now.on, file, false, made);
    if (verdict == result::success) *module = reinterpret_cast<CUmodule>(made);
    return verdict;
  });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return load(call::cuModuleLoadData_, module, image);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count,
                            CUjit_option* options, void** values) {
  empty_logs(count, options, values);
  return load(call::cuModuleLoadDataEx_, module, image);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load(call::cuModuleLoadFatBinary_, module, image);
}

CUresult cuModuleUnload(CUmodule module) {
  return answer_in_context(call::cuModuleUnload_, [&](context_session& now) {
    const loaded_module* const known = module_of(now.all, module);
    if (known == nullptr || known->device < 0) return result::invalid_handle;
    wait_for_device(now.all, now.lock, now.on);
    return unload_module(now.all, module);
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return kernel_of(call::cuModuleGetFunction_, module, name, function);
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return count_kernels(call::cuModuleGetFunctionCount_, module, count);
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned most, CUmodule module) {
  return list_kernels(call::cuModuleEnumerateFunctions_, module, functions, most);
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* at, std::size_t* size, CUmodule module,
                              const char* name) {
  return variable_of(call::cuModuleGetGlobal_v2_, module, name, at, size);
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return answer(call::cuModuleGetLoadingMode_, [&](session&) {
    if (mode == nullptr) return result::invalid_value;
    *mode = CU_MODULE_LAZY_LOADING;
    return result::success;
  });
}
