# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
include_guard(GLOBAL)

# headroom_kernel_sources(SOURCES...)
# Sources that use <headroom_kernels/launch.hpp>: compiled as CUDA where the CUDA backend is built, as
# C++ otherwise. To be called in the folder of the target that they belong to.
function(headroom_kernel_sources)
  if(HEADROOM_WITH_CUDA)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  endif()
endfunction()
