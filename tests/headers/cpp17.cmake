# SPDX-License-Identifier: Apache-2.0
# Compiles each of HEADERS as C++17 with COMPILER and FLAGS. Each must fail with one error, which names C++20.
cmake_minimum_required(VERSION 3.21)

set(count 0)
foreach(header IN LISTS HEADERS)
  execute_process(COMMAND ${COMPILER} ${FLAGS} -std=c++17 -fsyntax-only -x c++ ${header}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX MATCHALL "error: [^\n]*" errors "${output}")
  list(LENGTH errors length)
  if(result EQUAL 0 OR NOT length EQUAL 1 OR NOT errors MATCHES "mote needs C\\+\\+20")
    message(SEND_ERROR "${header} as C++17 has ${length} errors instead of one that names C++20:\n${output}")
  endif()
  math(EXPR count "${count} + 1")
endforeach()
if(count EQUAL 0)
  message(FATAL_ERROR "no header was compiled")
endif()
message("${count} headers")
