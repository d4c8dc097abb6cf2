# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
# Finds the BLAS of the cpu device: the imported target headroom::cblas. OpenBLAS where there is one,
# else any BLAS with a cblas.h.
include_guard(GLOBAL)

find_package(OpenBLAS CONFIG QUIET)
if(OpenBLAS_FOUND)
  set(headroom_cblas_include ${OpenBLAS_INCLUDE_DIRS})
  set(headroom_cblas_libraries ${OpenBLAS_LIBRARIES})
else()
  find_package(BLAS QUIET)
  find_path(HEADROOM_CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas)
  if(NOT BLAS_FOUND OR NOT HEADROOM_CBLAS_INCLUDE_DIR)
    message(FATAL_ERROR "headroom's kernels need a BLAS with a cblas.h; install libopenblas-dev (Debian, "
                        "Ubuntu) or openblas-devel, or set CMAKE_PREFIX_PATH to where one is")
  endif()
  set(headroom_cblas_include ${HEADROOM_CBLAS_INCLUDE_DIR})
  set(headroom_cblas_libraries ${BLAS_LIBRARIES})
endif()

add_library(headroom::cblas INTERFACE IMPORTED GLOBAL)
target_include_directories(headroom::cblas INTERFACE ${headroom_cblas_include})
target_link_libraries(headroom::cblas INTERFACE ${headroom_cblas_libraries})

# OpenBLAS lets its threads be set; other libraries are used as they come.
include(CheckCXXSymbolExists)
set(CMAKE_REQUIRED_INCLUDES ${headroom_cblas_include})
set(CMAKE_REQUIRED_LIBRARIES ${headroom_cblas_libraries})
check_cxx_symbol_exists(openblas_set_num_threads cblas.h HEADROOM_HAS_OPENBLAS_THREADS)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
if(HEADROOM_HAS_OPENBLAS_THREADS)
  set_property(TARGET headroom::cblas APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
                                                      HEADROOM_HAS_OPENBLAS_THREADS)
endif()
