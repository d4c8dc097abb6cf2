# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
# headroom_add_budget_test: memory budgets as CTest tests.
include_guard(GLOBAL)

# The program that reads budget files: installed with the package; from the sources it is built once, at
# configure time, from the same reader that the tests use.
function(_headroom_find_budget_validator result)
  get_property(known GLOBAL PROPERTY HEADROOM_BUDGET_VALIDATOR)
  if(known)
    set(${result} ${known} PARENT_SCOPE)
    return()
  endif()
  if(TARGET headroom::validate_budget)
    get_target_property(program headroom::validate_budget LOCATION)
  else()
    set(build_dir ${CMAKE_BINARY_DIR}/headroom-validate-budget)
    message(STATUS "headroom: building the budget validator")
    execute_process(
      COMMAND
        ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/validate_budget -B ${build_dir}
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
        "-DCMAKE_PREFIX_PATH=${CMAKE_PREFIX_PATH}"
      OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE failed)
    if(NOT failed)
      execute_process(
        COMMAND ${CMAKE_COMMAND} --build ${build_dir} --parallel
        OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE failed)
    endif()
    if(failed)
      message(FATAL_ERROR "headroom: the budget validator could not be built:\n${output}")
    endif()
    set(program ${build_dir}/headroom-validate-budget)
  endif()
  set_property(GLOBAL PROPERTY HEADROOM_BUDGET_VALIDATOR ${program})
  set(${result} ${program} PARENT_SCOPE)
endfunction()

# Stops the configuration with every fault of the budget file. Sets `vram_mib` to what a test needs.
function(_headroom_validate_budget file vram_mib)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  _headroom_find_budget_validator(program)
  execute_process(
    COMMAND ${program} --print-vram-mib ${file}
    OUTPUT_VARIABLE output ERROR_VARIABLE problems RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed)
    message(FATAL_ERROR "headroom_add_budget_test: the budget is not valid:\n${problems}")
  endif()
  set(${vram_mib} ${output} PARENT_SCOPE)
endfunction()

# Sets properties of the tests of `target` that gtest_discover_tests lists in the variable `test_list`, in
# a file of its own, since list values do not survive the PROPERTIES of gtest_discover_tests. A program
# that is built and has no such test is an error: a filter that matches nothing must not look green.
function(_headroom_set_discovered target test_list properties caller)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${test_list}.cmake)
  file(
    GENERATE
    OUTPUT ${file}
    CONTENT
      "foreach(test IN LISTS ${test_list})
  set_tests_properties(\"\${test}\" PROPERTIES ${properties})
endforeach()
if(NOT ${test_list} AND EXISTS \"$<TARGET_FILE:${target}>\")
  message(FATAL_ERROR \"${caller}: the program has no such test\")
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
endfunction()

# The program headroom: installed with the package, or built here. Sets `result` to a target's name.
function(_headroom_find_program result caller)
  foreach(candidate headroom::program headroom_program)
    if(TARGET ${candidate})
      set(${result} ${candidate} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${caller}: the program headroom is not there; build headroom where CLI11 is "
                      "found (libcli11-dev)")
endfunction()

# A program that links the CUDA runtime statically, CMake's default, cannot be given an emulated card.
function(_headroom_require_shared_runtime target caller)
  get_target_property(runtime ${target} CUDA_RUNTIME_LIBRARY)
  get_target_property(sources ${target} SOURCES)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if((sources MATCHES "[.]cu(;|$)" AND NOT runtime MATCHES "^(Shared|SHARED|shared)$")
     OR libraries MATCHES "CUDA::cudart_static")
    message(FATAL_ERROR "${caller}: \"${target}\" links the CUDA runtime statically, and so cannot use an "
                        "emulated card; write set_target_properties(${target} PROPERTIES "
                        "CUDA_RUNTIME_LIBRARY Shared), or link CUDA::cudart")
  endif()
  if(TARGET headroom::cuda AND libraries MATCHES "headroom(::|_)")
    get_target_property(of_headroom headroom::cuda INTERFACE_LINK_LIBRARIES)
    if(of_headroom MATCHES "CUDA::cudart_static")
      message(FATAL_ERROR "${caller}: \"${target}\" links a headroom that was configured with "
                          "CMAKE_CUDA_RUNTIME_LIBRARY=Static, and so cannot use an emulated card; configure "
                          "headroom with -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared")
    endif()
  endif()
endfunction()

# Without enable_testing() in the top folder CMake drops every test and ctest passes with none: an error, asked
# at the end, since the call may come later. BUILD_TESTING=OFF says that this is meant.
function(_headroom_require_testing caller)
  get_property(asked GLOBAL PROPERTY HEADROOM_REQUIRES_TESTING)
  if(NOT asked)
    set_property(GLOBAL PROPERTY HEADROOM_REQUIRES_TESTING ON)
    cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]]
                              CALL _headroom_check_testing [[${caller}]])")
  endif()
endfunction()
function(_headroom_check_testing caller)
  if(NOT CMAKE_TESTING_ENABLED AND (NOT DEFINED BUILD_TESTING OR BUILD_TESTING))
    message(FATAL_ERROR "${caller}: testing is not enabled, so that ctest finds no test and passes; write "
                        "enable_testing() into ${CMAKE_SOURCE_DIR}/CMakeLists.txt")
  endif()
endfunction()

# A budget around a program: `headroom run` as a test. Called by headroom_add_budget_test, whose arg_... it
# reads. `words` is code: each word of the command in brackets, so that none is split at a semicolon, or lost
# where it is empty. `first` is its first word.
function(_headroom_add_program_test first words)
  set(caller "headroom_add_budget_test(NAME ${arg_NAME})")
  if(NOT arg_DEVICE MATCHES "^emulated:.+$")
    message(FATAL_ERROR "${caller}: a COMMAND needs DEVICE emulated:CARD, emulated:SIZE or emulated:FILE.json, "
                        "not \"${arg_DEVICE}\"")
  endif()
  _headroom_find_program(program "${caller}")
  foreach(name DEVICES TIMEOUT)
    if(DEFINED arg_${name} AND NOT arg_${name} MATCHES "^[1-9][0-9]*$")
      message(FATAL_ERROR "${caller}: ${name} \"${arg_${name}}\" is no whole number; write ${name} 2")
    endif()
  endforeach()
  set(options --device ${arg_DEVICE} --budget ${arg_BUDGET} --test ${arg_NAME})
  if(arg_DEVICES)
    list(APPEND options --devices ${arg_DEVICES})
  endif()
  if(NOT arg_BESIDE)
    set(arg_BESIDE cuda:0)
  endif()
  if(NOT arg_BESIDE MATCHES "^(none|cuda:.+)$")
    message(FATAL_ERROR "${caller}: BESIDE \"${arg_BESIDE}\" is no card; write cuda:N, or none")
  endif()
  if(NOT arg_BESIDE STREQUAL none)
    list(APPEND options --beside ${arg_BESIDE})
  endif()
  set(seconds 1500) # CTest's own default
  if(arg_TIMEOUT)
    set(seconds ${arg_TIMEOUT})
    list(APPEND options --timeout ${arg_TIMEOUT})
  endif()
  if(TARGET "${first}")
    _headroom_require_shared_runtime(${first} "${caller}")
    set(first $<TARGET_FILE:${first}>)
  endif()
  cmake_language(EVAL CODE "add_test(NAME \${arg_NAME} COMMAND \${program} run \${options} -- \${first} ${words}
                            WORKING_DIRECTORY \${CMAKE_CURRENT_SOURCE_DIR})")
  # headroom's own limit comes first, and says more; with a card beside there are two runs.
  math(EXPR seconds "2 * ${seconds} + 30")
  set_tests_properties(
    ${arg_NAME}
    PROPERTIES LABELS "headroom;${arg_LABELS}" TIMEOUT ${seconds}
               ENVIRONMENT
               "HEADROOM_CTEST=1;HEADROOM_DEFAULT_ARTIFACT_DIR=${CMAKE_BINARY_DIR}/headroom-artifacts;${arg_ENVIRONMENT}")
endfunction()

# headroom_add_budget_test(
#   NAME name TARGET program BUDGET file [FILTER pattern] [DEVICE device] [DEVICES number]
#   [LABELS labels...] [ENVIRONMENT NAME=VALUE...])
# headroom_add_budget_test(
#   NAME name COMMAND command arguments... BUDGET file DEVICE emulated:CARD [DEVICES number]
#   [BESIDE cuda:N|none] [TIMEOUT seconds] [LABELS labels...] [ENVIRONMENT NAME=VALUE...])
#
# The second form puts a budget around any program (headroom run); a target's name stands for its file. The
# command's words reach it as they are written, but the names above: they end the command. Where a program
# takes one of them as an argument, put the command into a script.
# Where there is a card (BESIDE, default cuda:0) the program runs on it too, and the artifact has the
# figures of both. On one that is alike the budget is judged by them too; with HEADROOM_REQUIRE=cuda
# in the environment the test fails where there is none.
#
# Runs the GoogleTest tests of `program` that FILTER selects (default: all), each in a process of its
# own, from the current source folder. They are named name.Suite.Test, are labelled `headroom`, ask
# CTest's resource scheduler for as many `vram_mib` as the budget needs, and show skips as skips. They
# are listed when ctest runs, which touches no driver.
#
# BUDGET  is checked now; the tests read it too (MemoryBudgetTest::budget_file).
# DEVICE  is for a test that belongs to one device (plan:24GB, cuda:0) or to several (cuda:0,cuda:1);
#         others follow HEADROOM_DEVICE. On emulated:CARD the program's CUDA libraries are replaced: it must
#         link the shared runtime.
# DEVICES is on how many devices the workload runs, for the resource scheduler: where DEVICE does not say. Of a
#         COMMAND, how many emulated cards there are.
function(headroom_add_budget_test)
  set(with_one NAME TARGET BUDGET FILTER DEVICE DEVICES BESIDE TIMEOUT)
  set(with_several COMMAND LABELS ENVIRONMENT)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "${with_one}" "${with_several}")
  # The command as it was written: a list of CMake's would not keep every word apart.
  set(is_command FALSE)  # the word names an argument that is one
  set(words "")
  set(first "")
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE ${last})
    set(word "${ARGV${i}}")
    if(word IN_LIST with_one OR word IN_LIST with_several)
      string(COMPARE EQUAL "${word}" "COMMAND" is_command)
    elseif(is_command AND "${first}" STREQUAL "")
      set(first "${word}")
    elseif(is_command)
      string(APPEND words " [==========[${word}]==========]")
    endif()
  endforeach()
  set(has_command FALSE)
  if("COMMAND" IN_LIST ARGV)
    set(has_command TRUE)
    set(usage "headroom_add_budget_test(NAME name COMMAND command arguments... BUDGET file DEVICE emulated:CARD "
              "[DEVICES number] [BESIDE cuda:N|none] [TIMEOUT seconds] [LABELS labels...] "
              "[ENVIRONMENT NAME=VALUE...])")
  else()
    set(usage "headroom_add_budget_test(NAME name TARGET program BUDGET file [FILTER pattern] "
              "[DEVICE device] [DEVICES number] [LABELS labels...] [ENVIRONMENT NAME=VALUE...])")
  endif()
  list(JOIN usage "" usage)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "headroom_add_budget_test: unknown argument \"${arg_UNPARSED_ARGUMENTS}\"; "
                        "write ${usage}")
  endif()
  if(arg_COMMAND AND (arg_TARGET OR arg_FILTER))
    message(FATAL_ERROR "headroom_add_budget_test: TARGET is for GoogleTest programs, COMMAND for any other: "
                        "write one of them, and FILTER with TARGET alone")
  endif()
  if(arg_BESIDE AND NOT arg_COMMAND)
    message(FATAL_ERROR "headroom_add_budget_test(NAME ${arg_NAME}): BESIDE is for a COMMAND: the tests of a "
                        "TARGET run where HEADROOM_DEVICE says")
  endif()
  set(what TARGET)
  if(has_command)
    set(what COMMAND)
  endif()
  foreach(name NAME ${what} BUDGET)
    if(NOT arg_${name})
      message(FATAL_ERROR "headroom_add_budget_test: ${name} is missing; write ${usage}")
    endif()
  endforeach()
  _headroom_require_testing("headroom_add_budget_test(NAME ${arg_NAME})")
  if(arg_COMMAND)
    cmake_path(ABSOLUTE_PATH arg_BUDGET BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    _headroom_validate_budget(${arg_BUDGET} vram_mib)
    _headroom_add_program_test("${first}" "${words}")
    return()
  endif()
  if(NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "headroom_add_budget_test(NAME ${arg_NAME}): TARGET \"${arg_TARGET}\" is no "
                        "target; call add_executable(${arg_TARGET} ...) before")
  endif()
  if(arg_DEVICE AND NOT arg_DEVICE MATCHES "^(auto|cpu([*][0-9]+)?|cuda:[0-9]+(,cuda:[0-9]+)*|plan:.+|emulated:.+)$")
    message(FATAL_ERROR "headroom_add_budget_test(NAME ${arg_NAME}): DEVICE \"${arg_DEVICE}\" is not "
                        "known; write auto, cpu, cuda:N, plan:SIZE or emulated:CARD; several as cuda:0,cuda:1")
  endif()
  if(arg_DEVICE MATCHES "^emulated:")
    _headroom_require_shared_runtime(${arg_TARGET} "headroom_add_budget_test(NAME ${arg_NAME})")
  endif()
  if(DEFINED arg_DEVICES AND NOT arg_DEVICES MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "headroom_add_budget_test(NAME ${arg_NAME}): DEVICES \"${arg_DEVICES}\" is no "
                        "number; write DEVICES 2")
  endif()
  cmake_path(ABSOLUTE_PATH arg_BUDGET BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  _headroom_validate_budget(${arg_BUDGET} vram_mib)

  set(filter_arguments)
  if(arg_FILTER)
    set(filter_arguments TEST_FILTER ${arg_FILTER})
  endif()
  string(MAKE_C_IDENTIFIER "headroom_tests_${arg_NAME}" test_list)
  include(GoogleTest)  # here, since it sets variables that the caller's folder may not see
  gtest_discover_tests(
    ${arg_TARGET}
    TEST_PREFIX ${arg_NAME}.
    TEST_LIST ${test_list}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    DISCOVERY_MODE PRE_TEST
    ${filter_arguments})

  set(environment HEADROOM_CTEST=1 "HEADROOM_BUDGET=${arg_BUDGET}"
                  "HEADROOM_DEFAULT_ARTIFACT_DIR=${CMAKE_BINARY_DIR}/headroom-artifacts"
                  ${arg_ENVIRONMENT})
  set(modification)
  if(arg_DEVICE MATCHES "^emulated:(.+)$")
    list(APPEND environment HEADROOM_PINNED_DEVICE=cuda:0 "HEADROOM_EMULATED_CARD=${CMAKE_MATCH_1}")
    set(modification " ENVIRONMENT_MODIFICATION \"LD_LIBRARY_PATH=path_list_prepend:${HEADROOM_EMULATION_FOLDER}\"")
  elseif(arg_DEVICE)
    list(APPEND environment "HEADROOM_PINNED_DEVICE=${arg_DEVICE}")
  endif()
  set(labels headroom ${arg_LABELS})
  set(properties "LABELS \"${labels}\" SKIP_RETURN_CODE 77 ENVIRONMENT \"${environment}\"${modification}")
  # cpu and plan runs take nothing of a GPU.
  if(NOT arg_DEVICE OR arg_DEVICE MATCHES "^(auto|cuda)")
    # A group a card, each with what the budget needs of one.
    set(groups)
    if(arg_DEVICES)
      set(groups "${arg_DEVICES},")
    elseif(arg_DEVICE MATCHES ",")
      string(REPLACE "," ";" cards ${arg_DEVICE})
      list(LENGTH cards count)
      set(groups "${count},")
    endif()
    string(APPEND properties " RESOURCE_GROUPS \"${groups}vram_mib:${vram_mib}\"")
  endif()
  _headroom_set_discovered(${arg_TARGET} ${test_list} "${properties}"
                           "headroom_add_budget_test(NAME ${arg_NAME})")
endfunction()
