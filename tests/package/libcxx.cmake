# SPDX-License-Identifier: Apache-2.0
# Builds the library and an example with Clang and libc++ instead of libstdc++, and runs the example.
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/thermometer.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
file(WRITE ${WORK}/version.cpp "#include <span>\n_LIBCPP_VERSION\n")
set(output "")
if(COMPILER)
  execute_process(COMMAND ${COMPILER} -std=c++20 -stdlib=libc++ -E -P ${WORK}/version.cpp OUTPUT_VARIABLE output
    ERROR_QUIET)
endif()
if(NOT output MATCHES "([0-9]+)[ \n]*$")
  message("skipped: clang++-19 or libc++ is not installed; tests/run --all does that")
  return()
endif()
message("libc++ ${CMAKE_MATCH_1}")

execute_process(COMMAND ${CMAKE_COMMAND} -S ${MOTE_SOURCE} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_BUILD_TYPE=Debug
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=-stdlib=libc++ -D MOTE_TESTS=OFF
  -D LWIP_DIR=${WORK}/none -D MBEDTLS_DIR=${WORK}/none OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build --target mote_stdio mote_http mote_mqtt mote_no_throw thermometer
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "building ends with ${result}:\n${output}")
endif()
run_thermometer(${WORK}/build/examples/thermometer ${WORK})
