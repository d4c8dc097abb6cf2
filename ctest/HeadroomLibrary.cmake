# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
include_guard(GLOBAL)

# headroom_add_library(NAME SOURCES... [HEADERS...] LINK TARGETS... [PRIVATE_LINK TARGETS...] [COMPUTES])
# A static library headroom_NAME with the alias headroom::NAME, C++20, exported for installation.
# A library without sources is an interface library. One that COMPUTES is optimized a little in debug builds too, and
# UndefinedBehaviorSanitizer looks at its pointers, which takes a quarter of a build elsewhere.
function(headroom_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COMPUTES" "" "SOURCES;LINK;PRIVATE_LINK")
  set(target headroom_${name})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    if(arg_COMPUTES)
      target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Debug>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
      if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*undefined")
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=null,alignment>)
      endif()
    endif()
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${target} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_LINK})
  endif()
  add_library(headroom::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  if(HEADROOM_WITH_CUDA)
    # CMake 3.25 knows no C++20 of nvcc's, which has had it since 12.0.
    if("cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
      target_compile_features(${target} ${scope} cuda_std_20)
    else()
      target_compile_options(${target} ${scope} $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
    endif()
  endif()
  target_include_directories(
    ${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/framework/include>
                       $<INSTALL_INTERFACE:include>)
  if(HEADROOM_INSTALL)
    install(TARGETS ${target} EXPORT headroomTargets)
  endif()
endfunction()
