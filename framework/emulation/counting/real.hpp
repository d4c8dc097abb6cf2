// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

namespace headroom::counting {

/// Calls of the CUDA libraries that this library wraps or makes.
enum class call : int {
#define HEADROOM_COUNTED(name) name##_,
#define HEADROOM_ASKED(name) name##_,
#include "calls.inc"
  count_
};

/// The real function: next behind this library in the order of loading, else in whatever file of
/// CUDA's is loaded. Where there is none, a function that answers "not supported".
[[nodiscard]] void* real_function(call which);
template <class Function>
Function* real(call which) {
  return reinterpret_cast<Function*>(real_function(which));
}

/// The wrapper of a function that a program looked up itself, found itself where there is none. A
/// library may be loaded where only such a look-up finds it, so found is kept as the real function
/// where none is known yet.
/// @param found  by the look-up; null stays null
[[nodiscard]] void* wrapper_of_symbol(const char* name, void* found);
/// The same for cuGetProcAddress, where a name stands for its newest version.
/// @param version  of CUDA, as the program asked; one that is not known here gets found itself
/// @param thread_stream  the variant for the thread's own default stream
[[nodiscard]] void* wrapper_of_entry(const char* name, void* found, int version,
                                     bool thread_stream);

/// The C library's own, past the wrapper here.
using dlsym_function = void*(void* handle, const char* name) noexcept;
[[nodiscard]] dlsym_function* real_dlsym();
using dlvsym_function = void*(void* handle, const char* name, const char* version) noexcept;
[[nodiscard]] dlvsym_function* real_dlvsym();

/// True while a wrapper's real call runs in this thread: what the runtime then asks of the driver
/// was counted already.
class nesting {
 public:
  nesting() : outermost_(depth_++ == 0) {}
  ~nesting() { --depth_; }
  nesting(const nesting&) = delete;
  nesting& operator=(const nesting&) = delete;
  [[nodiscard]] bool outermost() const { return outermost_; }

 private:
  static inline thread_local int depth_ = 0;
  bool outermost_;
};

}  // namespace headroom::counting
