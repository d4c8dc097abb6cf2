// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// Kernels of loaded modules, by the handle that functions (CUfunction) and kernels (CUkernel)
// share.
#include "../card/loaded_module.hpp"
#include "../card/queue.hpp"
#include "answer.hpp"

namespace headroom::emulation::driver {

/// @return null for what is no kernel of a loaded module
inline kernel* function_of(const void* handle) {
  kernel* const known = modules().find(handle);
  return known != nullptr && known->loaded ? known : nullptr;
}

/// @param body  (context_session&, kernel&) -> result
template <class Body>
CUresult about_function(call which, const void* handle, Body body) {
  return answer_in_context(which, [&](context_session& now) {
    kernel* const known = function_of(handle);
    return known == nullptr ? result::invalid_handle : body(now, *known);
  });
}

/// @param body  (session&, loaded_module&) -> result
template <class Body>
CUresult about_module(call which, const void* handle, Body body) {
  return answer(which, [&](session& now) {
    loaded_module* const known = module_of(now.all, handle);
    return known == nullptr ? result::invalid_handle : body(now, *known);
  });
}

/// What modules and libraries are asked alike.
/// @tparam Handle  CUfunction or CUkernel
template <class Handle>
CUresult kernel_of(call which, const void* handle, const char* name, Handle* found) {
  return about_module(which, handle, [&](session&, loaded_module& of) {
    if (found == nullptr || name == nullptr) return result::invalid_value;
    const void* const known = kernel_in(of, name);
    if (known == nullptr) return result::not_found;
    *found = static_cast<Handle>(const_cast<void*>(known));
    return result::success;
  });
}

inline CUresult count_kernels(call which, const void* handle, unsigned* count) {
  return about_module(which, handle, [&](session&, loaded_module& of) {
    if (count == nullptr) return result::invalid_value;
    *count = static_cast<unsigned>(of.handles.size());
    return result::success;
  });
}

template <class Handle>
CUresult list_kernels(call which, const void* handle, Handle* into, unsigned most) {
  return about_module(which, handle, [&](session&, loaded_module& of) {
    if (into == nullptr) return result::invalid_value;
    for (unsigned i = 0; i < most && i < of.handles.size(); ++i) {
      into[i] = reinterpret_cast<Handle>(of.handles[i].get());
    }
    return result::success;
  });
}

/// @param at, size  null: not asked for
inline CUresult variable_of(call which, const void* handle, const char* name, CUdeviceptr* at,
                            std::size_t* size) {
  return answer_in_context(which, [&](context_session& now) {
    loaded_module* const of = module_of(now.all, handle);
    if (of == nullptr) return result::invalid_handle;
    if (name == nullptr || (at == nullptr && size == nullptr)) return result::invalid_value;
    address where = 0;
    std::uint64_t whole = 0;
    const result verdict = variable_in(now.all, now.on, *of, name, where, whole);
    if (verdict != result::success) return verdict;
    if (at != nullptr) *at = where;
    if (size != nullptr) *size = whole;
    return result::success;
  });
}

}  // namespace headroom::emulation::driver
