# SPDX-License-Identifier: Apache-2.0
# A program that is compiled with the defaults of the compiler, so with RTTI and exceptions, links with the libraries, which
# are compiled without: default_flags.cpp has an object of each public class with virtual functions.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(includes "")
foreach(folder IN LISTS INCLUDES)
  list(APPEND includes -I ${folder})
endforeach()
foreach(optimization -O0 -O2)
  execute_process(COMMAND ${COMPILER} -std=c++20 ${optimization} ${includes} ${CMAKE_CURRENT_LIST_DIR}/default_flags.cpp
    -o ${WORK}/program -Wl,--start-group ${LIBRARIES} -Wl,--end-group OUTPUT_VARIABLE output ERROR_VARIABLE output
    RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "a program with the defaults of the compiler (${optimization}) does not link:\n${output}")
  endif()
  execute_process(COMMAND ${WORK}/program RESULT_VARIABLE result TIMEOUT 60)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the program (${optimization}) ends with ${result}")
  endif()
endforeach()
