# SPDX-License-Identifier: Apache-2.0
# An installation of MOTE_BUILD in projects of users, by WAY:
#   components   find_package() with the names of libraries, and with the name of none
#   pkg_config   a compiler with the flags of pkg-config (PROGRAM)
#   meson        a project of Meson (PROGRAM)
cmake_minimum_required(VERSION 3.21)

if(NOT WAY STREQUAL components AND NOT PROGRAM)
  message("skipped: ${WAY} is not installed; tests/run --all does that")
  return()
endif()
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${MOTE_BUILD} --prefix ${WORK}/prefix OUTPUT_QUIET
  COMMAND_ERROR_IS_FATAL ANY)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/main.cpp DESTINATION ${WORK}/source)

# run(COMMAND...): runs a command, which must succeed. Sets output.
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command} ends with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# say_hello(PROGRAM): the server answers.
function(say_hello program)
  file(WRITE ${WORK}/requests [[
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
]])
  execute_process(COMMAND ${program} INPUT_FILE ${WORK}/requests OUTPUT_VARIABLE output TIMEOUT 60
    COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output MATCHES "\"serverInfo\":{\"name\":\"package-test\"")
    message(FATAL_ERROR "unexpected response: ${output}")
  endif()
endfunction()

if(WAY STREQUAL components)
  # configure(COMPONENT...): sets result and output.
  function(configure)
    list(JOIN ARGN " " components)
    file(WRITE ${WORK}/source/CMakeLists.txt "cmake_minimum_required(VERSION 3.21)
project(user LANGUAGES CXX)
find_package(mote 0.1 REQUIRED COMPONENTS ${components})
find_package(mote 0.1 QUIET COMPONENTS no_such_library)
if(mote_FOUND)
  message(FATAL_ERROR \"a library that does not exist is found\")
endif()
find_package(mote 0.1 REQUIRED COMPONENTS stdio OPTIONAL_COMPONENTS no_such_library)
if(NOT mote_stdio_FOUND OR mote_no_such_library_FOUND)
  message(FATAL_ERROR \"stdio: ${mote_stdio_FOUND}, no_such_library: ${mote_no_such_library_FOUND}\")
endif()
")
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/source -B ${WORK}/build -G ${GENERATOR}
      -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/prefix RESULT_VARIABLE result OUTPUT_VARIABLE output
      ERROR_VARIABLE output)
    set(result ${result} PARENT_SCOPE)
    string(REGEX REPLACE "[ \n]+" " " output "${output}")
    set(output "${output}" PARENT_SCOPE)
  endfunction()
  configure(posix stdio http)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "components that exist: configuring ends with ${result}: ${output}")
  endif()
  configure(stdio no_such_library)
  if(result EQUAL 0 OR NOT output MATCHES "This installation has no mote::no_such_library, only: core")
    message(FATAL_ERROR "a component that does not exist: configuring ends with ${result}: ${output}")
  endif()
elseif(WAY STREQUAL pkg_config)
  set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/lib/pkgconfig)
  run(${PROGRAM} --modversion mote)
  string(STRIP "${output}" output)
  if(NOT output STREQUAL VERSION)
    message(FATAL_ERROR "the version of mote.pc is ${output}, not ${VERSION}")
  endif()
  run(${PROGRAM} --cflags --libs mote)
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(${COMPILER} -std=c++20 ${WORK}/source/main.cpp -o ${WORK}/program ${flags})
  say_hello(${WORK}/program)
endif()
