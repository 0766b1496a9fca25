# SPDX-License-Identifier: Apache-2.0
# Passes when building TARGET in the build folder BUILD fails with every text of the list EXPECTED in its output.
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target ${TARGET}
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "${TARGET} was built; it must not link")
endif()
foreach(text IN LISTS EXPECTED)
  string(FIND "${output}" "${text}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${TARGET} failed without saying \"${text}\":\n${output}")
  endif()
endforeach()
