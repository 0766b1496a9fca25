# SPDX-License-Identifier: Apache-2.0
# Faster builds of the tests. `tests/run` adds this file to the project with -DCMAKE_PROJECT_mote_INCLUDE=; it runs before
# the targets exist.
#
# For tests/compile: the objects of two clones are equal, and the preprocessor names the precompiled header. Counters of
# coverage name files by their path.
if(NOT MOTE_COVERAGE)
  add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()

# A failing test needs functions and lines. More debug information takes a quarter of the time of a source. The images of
# boards have all, for toolchains/stack-bound.
if(NOT CMAKE_CROSSCOMPILING)
  add_compile_options(-g1)
endif()

# gold links the 100 programs of host-sanitize in a third of the time of ld.
if(MOTE_COVERAGE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  find_program(MOTE_GOLD ld.gold)
  if(MOTE_GOLD)
    add_link_options(-fuse-ld=gold)
    set(CMAKE_CXX_LINKER_LAUNCHER ${CMAKE_CURRENT_LIST_DIR}/link_gold)
  endif()
endif()

# Precompiled headers save 0.4 to 2 s per source file. In host-sanitize, what counts for coverage has those of other
# projects alone: Clang counts no function of a precompiled header, and a missing #include of ours is an error there.
function(precompile_headers)
  # The images of the pico-sdk and of FreeRTOS have core source by source, as those of users.
  if(CMAKE_CROSSCOMPILING AND NOT MOTE_UNITY AND TARGET mote_core)
    target_precompile_headers(mote_core PRIVATE <algorithm> <cstring> <mcp/server.hpp>)
  endif()
  set(headers <gtest/gtest.h> <algorithm> <array> <string> <vector>)
  if(NOT MOTE_COVERAGE)
    list(APPEND headers <mcp/server.hpp> <mcp/stdio_transport.hpp>)
  endif()
  # It has another level of optimization than the tests.
  if(TARGET test_support)
    target_precompile_headers(test_support PRIVATE ${headers})
  endif()
  if(TARGET simulator)
    target_precompile_headers(simulator PRIVATE <string> <vector> <mcp/server.hpp> <mcp/http_transport.hpp>)
  endif()
  if(NOT TARGET unit_protocol)
    return()
  endif()
  # Unit tests that are compiled with the same options and definitions.
  target_precompile_headers(unit_protocol PRIVATE ${headers})
  mote_targets_of(${CMAKE_CURRENT_SOURCE_DIR}/tests units "/tests/threads$")
  list(FILTER units INCLUDE REGEX "^unit_")
  list(FILTER units EXCLUDE REGEX "^unit_(corpora|esp_idf(_[a-z]+)?|frame_check|lwip_threads|pool_checks|protocol)$")
  foreach(unit IN LISTS units)
    get_target_property(libraries ${unit} LINK_LIBRARIES)
    if("test_support" IN_LIST libraries)
      target_precompile_headers(${unit} REUSE_FROM unit_protocol)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER CALL precompile_headers)
