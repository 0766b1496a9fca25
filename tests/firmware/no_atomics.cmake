# SPDX-License-Identifier: Apache-2.0
# Builds TARGET in the build folder BUILD. Passes when IMAGE has the lock of the port, and no function of a library for
# atomics.
cmake_minimum_required(VERSION 3.20)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target ${TARGET} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NM} ${IMAGE} OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
foreach(name mcp_lock mcp_unlock)
  if(NOT names MATCHES " T ${name}\n")
    message(SEND_ERROR "the image does not use ${name}, so it does not show what it should")
  endif()
endforeach()
string(REGEX MATCHALL "[^\n]* __(atomic|sync)_[^\n]*" found "${names}")
if(found)
  message(SEND_ERROR "the image has functions of a library for atomics: ${found}")
endif()
