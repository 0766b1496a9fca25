# SPDX-License-Identifier: Apache-2.0
# An application with another setting of MOTE_CHECKS than the libraries does not link: its tables would have another layout
# than the libraries read.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
foreach(optimization -O0 -O2)
  foreach(setting SAME OTHER)
    list(TRANSFORM ${setting} PREPEND -I OUTPUT_VARIABLE includes)
    execute_process(COMMAND ${COMPILER} -std=c++20 ${optimization} ${includes} ${CMAKE_CURRENT_LIST_DIR}/main.cpp
      -o ${WORK}/program -Wl,--start-group ${LIBRARIES} -Wl,--end-group OUTPUT_VARIABLE output ERROR_VARIABLE output
      RESULT_VARIABLE ${setting}_result)
  endforeach()
  set(is_named FALSE)
  if(output MATCHES "undefined reference to .*find_(only|session)_slot<")
    set(is_named TRUE)
  endif()
  if(NOT SAME_result EQUAL 0 OR OTHER_result EQUAL 0 OR NOT is_named)
    message(FATAL_ERROR "${optimization}: with the same setting the result is ${SAME_result}, with another one:\n${output}")
  endif()
endforeach()
