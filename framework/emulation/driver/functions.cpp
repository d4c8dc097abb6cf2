// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "functions.hpp"

#include <algorithm>

#include "../card/launch.hpp"
#include "../card/occupancy.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

namespace {

std::uint64_t most_threads(const kernel& of) {
  std::uint64_t most = threads_by_registers(of.code.registers);
  if (of.code.most_threads != 0) most = std::min(most, of.code.most_threads);
  if (of.code.exact_threads != 0) most = std::min(most, of.code.exact_threads);
  return most;
}

result get(const device& on, const kernel& of, CUfunction_attribute attribute, int* into) {
  if (into == nullptr) return result::invalid_value;
  const auto put = [&](std::uint64_t value) {
    *into = static_cast<int>(value);
    return result::success;
  };
  const loaded_code made = modules().loaded_on(of, on.profile.major, on.profile.minor);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return put(most_threads(of));
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return put(of.code.shared);
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return put(of.code.constant);
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return put(of.code.local);
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      return put(static_cast<std::uint64_t>(of.code.registers));
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      return put(static_cast<std::uint64_t>(made.portable));
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      return put(static_cast<std::uint64_t>(made.machine));
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return put(dynamic_shared_of(of));
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *into = of.carveout;
      return result::success;
    default:
      if (attribute < 0 || attribute > CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE) {
        return result::invalid_value;
      }
      return put(0);
  }
}

result set(const device& on, kernel& of, CUfunction_attribute attribute, int value) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return allow_dynamic_shared(on, of, value);
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100) return result::invalid_value;
      of.carveout = value;
      return result::success;
    default:
      // What is told of clusters is heeded at the launch alone; the rest can only be read.
      return attribute >= CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH &&
                     attribute <= CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
                 ? result::success
                 : result::invalid_value;
  }
}

result prefer(CUfunc_cache preference) {
  return preference >= CU_FUNC_CACHE_PREFER_NONE && preference <= CU_FUNC_CACHE_PREFER_EQUAL
             ? result::success
             : result::invalid_value;
}

/// @param body  (device&, kernel&) -> result
template <class Body>
CUresult about_kernel_on(call which, CUkernel handle, CUdevice number, Body body) {
  return answer_about_device(which, number, [&](session&, const device& on) {
    kernel* const known = function_of(handle);
    return known == nullptr ? result::invalid_handle : body(on, *known);
  });
}

}  // namespace

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return about_function(
      call::cuFuncGetAttribute_, function,
      [&](context_session& now, const kernel& of) { return get(now.on, of, attribute, value); });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return about_function(call::cuFuncSetAttribute_, function, [&](context_session& now, kernel& of) {
    return set(now.on, of, attribute, value);
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache preference) {
  return about_function(call::cuFuncSetCacheConfig_, function,
                        [&](context_session&, const kernel&) { return prefer(preference); });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return about_function(call::cuFuncGetModule_, function, [&](context_session&, const kernel& of) {
    if (module == nullptr) return result::invalid_value;
    *module = static_cast<CUmodule>(const_cast<void*>(of.module));
    return result::success;
  });
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return about_function(call::cuFuncGetName_, function, [&](context_session&, const kernel& of) {
    if (name == nullptr) return result::invalid_value;
    *name = of.name;
    return result::success;
  });
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  return about_function(call::cuFuncIsLoaded_, function, [&](context_session&, const kernel&) {
    if (state == nullptr) return result::invalid_value;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return result::success;
  });
}

CUresult cuFuncLoad(CUfunction function) {
  return about_function(call::cuFuncLoad_, function,
                        [](context_session&, const kernel&) { return result::success; });
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel handle,
                              CUdevice number) {
  return about_kernel_on(
      call::cuKernelGetAttribute_, handle, number,
      [&](const device& on, const kernel& of) { return get(on, of, attribute, value); });
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel handle,
                              CUdevice number) {
  return about_kernel_on(
      call::cuKernelSetAttribute_, handle, number,
      [&](const device& on, kernel& of) { return set(on, of, attribute, value); });
}

CUresult cuKernelSetCacheConfig(CUkernel handle, CUfunc_cache preference, CUdevice number) {
  return about_kernel_on(call::cuKernelSetCacheConfig_, handle, number,
                         [&](const device&, const kernel&) { return prefer(preference); });
}
