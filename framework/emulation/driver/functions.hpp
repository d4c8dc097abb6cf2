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

}  // namespace headroom::emulation::driver
