# SPDX-License-Identifier: Apache-2.0
# A machine with a compiler, CMake and Ninja alone: the preset host builds the library and the examples, and says in one
# line what the tests lack. With MOTE_TESTS=ON this is an error.
# The PATH has only these programs, and CMake looks for libraries in no folder of the system.
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/thermometer.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/bin)
# link_program(NAME PROGRAM): NAME on the PATH is PROGRAM.
function(link_program name program)
  file(REAL_PATH ${program} program)
  file(CREATE_LINK ${program} ${WORK}/bin/${name} SYMBOLIC)
endfunction()
link_program(cc ${C_COMPILER})
link_program(c++ ${COMPILER})
link_program(cmake ${CMAKE_COMMAND})
foreach(name ninja sh ld as ar ranlib)
  find_program(program_${name} ${name} REQUIRED)
  link_program(${name} ${program_${name}})
endforeach()
set(ENV{PATH} ${WORK}/bin)
foreach(variable CMAKE_PREFIX_PATH CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER CC CXX GTest_ROOT GTEST_ROOT)
  unset(ENV{${variable}})
endforeach()

# configure(OPTION...): sets result and output.
function(configure)
  execute_process(COMMAND cmake --preset host -B ${WORK}/build -D CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
    -D LWIP_DIR=${WORK}/none -D MBEDTLS_DIR=${WORK}/none -D CMAKE_BUILD_TYPE=Debug
    ${PRECOMPILE} ${ARGN}
    WORKING_DIRECTORY ${MOTE_SOURCE} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  set(result ${result} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

# expect(TEXT): output contains TEXT.
function(expect text)
  string(FIND "${output}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "not in the output: ${text}\n${output}")
  endif()
endfunction()

configure(-D MOTE_TESTS=ON)
if(result EQUAL 0)
  message(FATAL_ERROR "MOTE_TESTS=ON is accepted without the libraries of the tests:\n${output}")
endif()
expect("MOTE_TESTS=ON: the tests need GoogleTest (libgtest-dev), mbedTLS (libmbedtls-dev).")

configure(-D MOTE_TESTS=AUTO)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "configuring ends with ${result}:\n${output}")
endif()
string(CONCAT lacks "The tests are left out, because this machine lacks GoogleTest (libgtest-dev), "
  "mbedTLS (libmbedtls-dev), lwIP (toolchains/fetch-sources), Node.js (nodejs).")
expect("${lacks}")

execute_process(COMMAND cmake --build ${WORK}/build OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "building ends with ${result}:\n${output}")
endif()
run_thermometer(${WORK}/build/examples/thermometer ${WORK})
