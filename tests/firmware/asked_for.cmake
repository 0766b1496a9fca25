# SPDX-License-Identifier: Apache-2.0
# One image has this function, and the other does not.
# usage: cmake -D NM=PROGRAM -D WITH=IMAGE -D WITHOUT=IMAGE -D FUNCTION=NAME -P asked_for.cmake
foreach(image WITH WITHOUT)
  execute_process(COMMAND ${NM} -C ${${image}} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH " [tTwW] mcp::([a-zA-Z]+::|[(]anonymous namespace[)]::)*${FUNCTION}\\(" ${image}_has "${symbols}")
endforeach()
if(NOT WITH_has)
  message(FATAL_ERROR "${FUNCTION} is in no image: what was looked for?")
endif()
if(WITHOUT_has)
  message(FATAL_ERROR "${FUNCTION} is linked although nothing asks for it")
endif()
