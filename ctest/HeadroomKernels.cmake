# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
include_guard(GLOBAL)

# headroom_kernel_sources(RESULT SOURCES...)
# Sources that use <headroom_kernels/launch.hpp>: compiled as CUDA where the CUDA backend is built, as C++ otherwise.
# RESULT names the variable that receives what to add to the target, which is to be in the folder of the call: in a
# unity build eight CUDA sources make one, since CMake joins C++ alone.
function(headroom_kernel_sources result)
  set(sources ${ARGN})
  if(HEADROOM_WITH_CUDA)
    if(CMAKE_UNITY_BUILD)
      set(left ${sources})
      set(sources)
      while(left)
        list(SUBLIST left 0 8 group)
        list(REMOVE_ITEM left ${group})
        list(TRANSFORM group REPLACE "(.+)" "#include \"${CMAKE_CURRENT_SOURCE_DIR}/\\1\"")
        list(JOIN group "\n" text)
        list(LENGTH sources index)
        set(file ${CMAKE_CURRENT_BINARY_DIR}/cuda_unity_${index}.cu)
        file(CONFIGURE OUTPUT ${file} CONTENT "${text}\n" @ONLY)
        list(APPEND sources ${file})
      endwhile()
    endif()
    set_source_files_properties(${sources} PROPERTIES LANGUAGE CUDA)
  endif()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()
