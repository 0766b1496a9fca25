# SPDX-License-Identifier: Apache-2.0
# Builds examples/makefile with MAKE alone, checks the symbols of the image, and connects the official client to it in the
# emulator: NODE TEST board EMULATE mps2_an385 IMAGE.
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/no_runtime.cmake)

file(REMOVE_RECURSE ${WORK})
set(make ${MAKE} -C ${MOTE_SOURCE}/examples/makefile MOTE=${MOTE_SOURCE} OUT=${WORK})
if(LAUNCHER)
  list(APPEND make "CXX=${LAUNCHER} arm-none-eabi-g++")
endif()
execute_process(COMMAND ${make} -j2
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR output MATCHES "warning:")
  message(FATAL_ERROR "make ends with ${result}:\n${output}")
endif()
runtime_in(${WORK}/firmware.elf found)
if(found)
  message(FATAL_ERROR "firmware.elf contains ${found}")
endif()

# A second make has nothing to do, and make knows the headers of each source.
execute_process(COMMAND ${make} -q COMMAND_ERROR_IS_FATAL ANY)
file(READ ${WORK}/main.d dependencies)
if(NOT dependencies MATCHES "core/include/mcp/server.hpp")
  message(FATAL_ERROR "the Makefile does not know the headers of main.cpp:\n${dependencies}")
endif()

# Its objects are in one folder.
execute_process(COMMAND ${make} -n "sources=main.cpp sub/main.cpp" ERROR_VARIABLE error OUTPUT_QUIET RESULT_VARIABLE result)
if(result EQUAL 0 OR NOT error MATCHES "two sources have the same file name")
  message(FATAL_ERROR "two sources have the same file name, and make ends with ${result}: ${error}")
endif()

if(NOT NODE)
  message("skipped: there is no Node.js for the official client; tests/run installs it")
  return()
endif()
execute_process(COMMAND ${NODE} ${TEST} board ${MOTE_SOURCE}/toolchains/emulate mps2_an385 ${WORK}/firmware.elf
  RESULT_VARIABLE result)
if(result EQUAL 77)
  message("skipped: the official client is not installed; tests/run does that")
elseif(NOT result EQUAL 0)
  message(FATAL_ERROR "the test of the client ends with ${result}")
endif()
