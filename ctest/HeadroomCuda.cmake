# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
# Decides whether the CUDA backend is built: sets HEADROOM_WITH_CUDA, enables the CUDA language. With it,
# HEADROOM_CUDART is the runtime that programs link, and HEADROOM_SHARED_RUNTIME whether they can use an emulated card.
include_guard(GLOBAL)

if(NOT HEADROOM_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "HEADROOM_CUDA is \"${HEADROOM_CUDA}\"; write AUTO, ON or OFF")
endif()

set(HEADROOM_WITH_CUDA OFF)
if(NOT HEADROOM_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(HEADROOM_WITH_CUDA ON)
  elseif(HEADROOM_CUDA STREQUAL "ON")
    message(FATAL_ERROR "HEADROOM_CUDA=ON, but no CUDA compiler was found. Install the CUDA Toolkit "
                        "(13.0 or newer) and put nvcc on PATH, or configure with -DHEADROOM_CUDA=OFF")
  endif()
endif()

if(HEADROOM_WITH_CUDA)
  # The shared runtime, so that a program can be run over another implementation of it. A build that is carried to a
  # machine with a card alone may be told otherwise.
  if(NOT DEFINED CMAKE_CUDA_RUNTIME_LIBRARY)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
  endif()
  string(TOLOWER "${CMAKE_CUDA_RUNTIME_LIBRARY}" runtime)
  if(runtime STREQUAL shared)
    set(HEADROOM_SHARED_RUNTIME ON)
    set(HEADROOM_CUDART CUDA::cudart)
  elseif(runtime STREQUAL static)
    set(HEADROOM_SHARED_RUNTIME OFF)
    set(HEADROOM_CUDART CUDA::cudart_static)
    message(STATUS "headroom: the CUDA runtime is linked statically: programs need no libcudart, and cannot use an "
                   "emulated card; tests over it are left out")
  else()
    message(FATAL_ERROR "CMAKE_CUDA_RUNTIME_LIBRARY is \"${CMAKE_CUDA_RUNTIME_LIBRARY}\"; write Shared (the default "
                        "here) or Static")
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80 90)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  message(STATUS "headroom: CUDA ${CUDAToolkit_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "headroom: built without CUDA (devices: cpu, plan)")
endif()
