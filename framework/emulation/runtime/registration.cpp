// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../abi/registration_calls.hpp"

#include "../card/memory.hpp"

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

/// A loaded module: kernels and variables name it when they are registered.
struct module_record {
  void* wrapper = nullptr;
};

}  // namespace

// These come before main, when no card has been described: they touch the modules alone.
void** __cudaRegisterFatBinary(void* wrapper) {
  count(call::__cudaRegisterFatBinary_);
  auto** const module = reinterpret_cast<void**>(new module_record{wrapper});
  const modules_lock locked;
  locked.modules.add_module(module, wrapper);
  return module;
}

void __cudaRegisterFatBinaryEnd(void**) { count(call::__cudaRegisterFatBinaryEnd_); }

void __cudaUnregisterFatBinary(void** module) {
  count(call::__cudaUnregisterFatBinary_);
  const modules_lock locked;
  locked.modules.remove_module(module);
  delete reinterpret_cast<module_record*>(module);
}

void __cudaRegisterFunction(void** module, const char* host, char*, const char* name, int, void*,
                            void*, dim3*, dim3*, int*) {
  count(call::__cudaRegisterFunction_);
  const modules_lock locked;
  locked.modules.add(module, host, name);
}

void __cudaRegisterVar(void** module, char* host, char*, const char* name, int, std::size_t size,
                       int, int) {
  count(call::__cudaRegisterVar_);
  const modules_lock locked;
  variable described;
  described.handle = host;
  described.name = name;
  described.size = size;
  locked.modules.add(module, described);
}

void __cudaRegisterManagedVar(void** module, void** host, char*, const char* name, int,
                              std::size_t size, int, int) {
  count(call::__cudaRegisterManagedVar_);
  const modules_lock locked;
  variable described;
  described.handle = host;
  described.name = name;
  described.size = size;
  described.managed_pointer = host;
  locked.modules.add(module, described);
}

char __cudaInitModule(void**) {
  // The compiler's host code asks for it before it reads a managed variable.
  answer_on_device(call::__cudaInitModule_,
                   [](device_session& now) { return place_managed_variables(now.all, now.on); });
  return 1;
}
