# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT

# Libraries that programs link and seldom use. They load, and their calls are refused by the
# library's own number for "not supported" (or, where it has none, for an internal error).

# headroom_add_refusing_library(NAME FOLDER REFUSAL NUMBER FILE FILE.so [VERSION NODE] [MAJOR N])
function(headroom_add_refusing_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;REFUSAL;FILE;VERSION;MAJOR" "")
  headroom_add_emulation_library(
    ${name}
    FILE ${arg_FILE}
    VERSION "${arg_VERSION}"
    CALLS others/${arg_FOLDER}/calls.inc
    MAJOR ${arg_MAJOR}
    REFUSAL ${arg_REFUSAL}
    SOURCES others/${arg_FOLDER}/library.cpp
    LINK headroom_emulation_card)
endfunction()

foreach(major 12 13)
  foreach(library IN ITEMS "nvrtc|compile|11" "nvJitLink|link|6" "cupti|trace|27")
    string(REPLACE "|" ";" part "${library}")
    list(GET part 0 name)
    list(GET part 1 folder)
    list(GET part 2 refusal)
    headroom_add_refusing_library(
      ${name}${major}
      FOLDER ${folder}
      REFUSAL ${refusal}
      FILE lib${name}.so.${major}
      VERSION lib${name}.so.${major}
      MAJOR ${major})
  endforeach()
  math(EXPR of_library "${major} - 1")
  foreach(library IN ITEMS "cufft|fft|16" "cusolver|solver|9")
    string(REPLACE "|" ";" part "${library}")
    list(GET part 0 name)
    list(GET part 1 folder)
    list(GET part 2 refusal)
    headroom_add_refusing_library(
      ${name}${major}
      FOLDER ${folder}
      REFUSAL ${refusal}
      FILE lib${name}.so.${of_library}
      VERSION lib${name}.so.${of_library}
      MAJOR ${major})
  endforeach()
endforeach()
# One file name for both majors.
headroom_add_refusing_library(
  cusparse FOLDER sparse REFUSAL 10 FILE libcusparse.so.12 VERSION libcusparse.so.12 MAJOR 13)
headroom_add_refusing_library(
  curand FOLDER rand REFUSAL 203 FILE libcurand.so.10 VERSION libcurand.so.10 MAJOR 13)
headroom_add_refusing_library(cusparseLt FOLDER sparse_lt REFUSAL 10 FILE libcusparseLt.so.0 MAJOR 13)
headroom_add_refusing_library(cufile FOLDER file REFUSAL 5007 FILE libcufile.so.0 MAJOR 13)
headroom_add_refusing_library(
  nvshmem FOLDER shmem REFUSAL 3 FILE libnvshmem_host.so.3 VERSION NVSHMEM MAJOR 13)
headroom_add_emulation_library(
  cudnn
  FILE libcudnn.so.9
  VERSION libcudnn.so.9
  CALLS dnn/calls.inc
  REFUSAL 3000
  SOURCES dnn/descriptors.cpp
          dnn/graph.cpp
          dnn/handles.cpp
          dnn/library.cpp
          dnn/normalization.cpp
  LINK headroom_emulation_card)
headroom_add_emulation_library(
  nccl
  FILE libnccl.so.2
  CALLS nccl/calls.inc
  REFUSAL 5
  SOURCES nccl/arithmetic.cpp
          nccl/collectives.cpp
          nccl/communicator.cpp
          nccl/communicators.cpp
          nccl/contents.cpp
          nccl/exchange.cpp
          nccl/group.cpp
          nccl/jobs.cpp
          nccl/library.cpp
          nccl/meeting.cpp
  LINK headroom_emulation_card)
