# SPDX-License-Identifier: Apache-2.0
# The ports for POSIX and for sockets use no function that only Linux and the GNU library have: each source compiles
# without the macros of Linux and of GNU. A call of accept4() shows that the check finds one.
cmake_minimum_required(VERSION 3.21)

set(flags -std=c++20 -fno-exceptions -fno-rtti -U__linux__ -U__linux -Ulinux -U__gnu_linux__ -U_GNU_SOURCE
  -D_DEFAULT_SOURCE -Wall -Wextra -Werror -I${MOTE_SOURCE})
foreach(folder core ports ports/posix ports/sockets)
  list(APPEND flags -I${MOTE_SOURCE}/${folder}/include)
endforeach()

# compile(FILE): sets result and output.
function(compile file)
  execute_process(COMMAND ${COMPILER} ${flags} -fsyntax-only ${file} RESULT_VARIABLE result OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  set(result ${result} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(GLOB sources ${MOTE_SOURCE}/ports/posix/*.cpp ${MOTE_SOURCE}/ports/sockets/*.cpp)
if(NOT sources)
  message(FATAL_ERROR "no source was found")
endif()
foreach(source IN LISTS sources)
  compile(${source})
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${source} needs Linux or GNU:\n${output}")
  endif()
endforeach()

compile(${CMAKE_CURRENT_LIST_DIR}/linux_only.cpp)
if(result EQUAL 0 OR NOT output MATCHES "accept4")
  message(FATAL_ERROR "a call of accept4() is not found:\n${output}")
endif()
