# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
include_guard(GLOBAL)
include(GNUInstallDirs)

# Where the stand-ins are built: the folder for LD_LIBRARY_PATH.
set(HEADROOM_EMULATION_FOLDER ${PROJECT_BINARY_DIR}/emulation CACHE INTERNAL "")

# _headroom_unmodelled(OUTPUT SYMBOLS CALLS MAJOR DEFINED...): writes HEADROOM_UNMODELLED(index, name)
# for each name in the file SYMBOLS that the table CALLS does not model, and that the sources DEFINED
# do not define as a variant for the per-thread default stream.
function(_headroom_unmodelled output symbols calls major)
  file(STRINGS ${symbols} names)
  file(STRINGS ${calls} rows REGEX "^HEADROOM_CALL(_${major})?\\(")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${symbols} ${calls} ${ARGN})
  set(modelled)
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "^HEADROOM_CALL[_0-9]*\\(([A-Za-z0-9_]+),.*" "\\1" name "${row}")
    list(APPEND modelled ${name})
  endforeach()
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} rows REGEX "^ *HEADROOM_PER_THREAD(_${major})?\\(")
    foreach(row IN LISTS rows)
      string(REGEX REPLACE "^ *HEADROOM_PER_THREAD[_0-9]*\\(([A-Za-z0-9_]+),.*" "\\1" name "${row}")
      list(APPEND modelled ${name})
    endforeach()
  endforeach()
  list(REMOVE_ITEM names ${modelled})
  set(text "// Made from ${symbols}.\n")
  set(index 0)
  foreach(name IN LISTS names)
    string(APPEND text "HEADROOM_UNMODELLED(${index}, ${name})\n")
    math(EXPR index "${index} + 1")
  endforeach()
  string(APPEND text "#undef HEADROOM_UNMODELLED\n")
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)
endfunction()

# headroom_add_emulation_library(NAME FILE FILE.so [MAP FILE] [VERSION NODE] [CALLS TABLE [MAJOR N] [REFUSAL NUMBER]]
#                                SOURCES ... [PER_THREAD SOURCES...] LINK TARGETS...)
# A shared library headroom_emulation_NAME whose file and SONAME are FILE, in the emulation's folder.
# With VERSION its calls carry that symbol version. With CALLS, a table of the calls that it models
# (library/table.hpp), they are counted, and what symbols/FILE.txt names and the table does not is
# added as calls that are not modelled, which answer REFUSAL: the library's own number for "not
# supported", the runtime's where not given. MAJOR is CUDA's, 13 where not given. The target headroom_emulation is all
# of them.
function(headroom_add_emulation_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILE;MAP;VERSION;CALLS;MAJOR;REFUSAL" "SOURCES;PER_THREAD;LINK")
  set(target headroom_emulation_${name})
  add_library(${target} SHARED ${arg_SOURCES} ${arg_PER_THREAD})
  if(NOT TARGET headroom_emulation)
    add_custom_target(headroom_emulation)
  endif()
  add_dependencies(headroom_emulation ${target})
  set_target_properties(
    ${target}
    PROPERTIES PREFIX ""
               SUFFIX ""
               OUTPUT_NAME ${arg_FILE}
               NO_SONAME ON
               LIBRARY_OUTPUT_DIRECTORY ${HEADROOM_EMULATION_FOLDER}
               BUILD_RPATH_USE_ORIGIN ON
               BUILD_RPATH "$ORIGIN"
               INSTALL_RPATH "$ORIGIN")
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_link_libraries(${target} PRIVATE ${arg_LINK} Threads::Threads ${CMAKE_DL_LIBS})
  # The core library within must not stand in for a program's own copy of it.
  # Its table of calls is read at the process's end, though a program may have closed it by then.
  target_link_options(${target} PRIVATE -Wl,-soname,${arg_FILE} -Wl,--exclude-libs,ALL -Wl,-z,nodelete)
  set(map ${CMAKE_CURRENT_BINARY_DIR}/${name}.map)
  if(arg_MAP)
    configure_file(${arg_MAP} ${map} COPYONLY)
  else()
    file(CONFIGURE OUTPUT ${map}
         CONTENT "${arg_VERSION} { global: cu*; __cu*; nv*; __nv*; nccl*; pnccl*; headroom_*; local: *; };\n" @ONLY)
  endif()
  target_link_options(${target} PRIVATE -Wl,--version-script=${map})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
  if(arg_CALLS)
    if(NOT arg_MAJOR)
      set(arg_MAJOR 13)
    endif()
    if(NOT arg_REFUSAL)
      set(arg_REFUSAL 801)
    endif()
    # A table with rows for one major alone has a file that picks them.
    set(table ${arg_CALLS})
    string(REPLACE "calls.inc" "calls_of_major.inc" of_major ${table})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${of_major})
      set(table ${of_major})
    endif()
    target_sources(${target} PRIVATE library/table.cpp library/unmodelled.cpp)
    # They declare the same calls as the others do, without their arguments.
    set_source_files_properties(library/table.cpp library/unmodelled.cpp ${arg_PER_THREAD}
                                PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set(unmodelled ${CMAKE_CURRENT_BINARY_DIR}/${name}_unmodelled.inc)
    list(TRANSFORM arg_PER_THREAD PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    _headroom_unmodelled(${unmodelled} ${CMAKE_CURRENT_SOURCE_DIR}/symbols/${arg_FILE}.txt
                         ${CMAKE_CURRENT_SOURCE_DIR}/${arg_CALLS} ${arg_MAJOR} ${arg_PER_THREAD})
    target_compile_definitions(
      ${target} PRIVATE HEADROOM_ABI_MAJOR=${arg_MAJOR} HEADROOM_LIBRARY_NAME="${arg_FILE}"
                        HEADROOM_NOT_SUPPORTED=${arg_REFUSAL}
                        HEADROOM_CALL_TABLE="${CMAKE_CURRENT_SOURCE_DIR}/${table}"
                        HEADROOM_UNMODELLED_CALLS="${unmodelled}")
  endif()
  if(HEADROOM_INSTALL)
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/headroom/emulation)
  endif()
endfunction()
