# SPDX-License-Identifier: Apache-2.0
# A compiler that this build does not use accepts the sources of the library (UNITS) and an application with each
# transport. It only checks them and makes no code.
if(NOT COMPILER)
  message("skipped: ${NAME} is not installed; tests/run --all does that")
  return()
endif()
set(flags -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics -Wall -Wextra -Werror -fsyntax-only)
foreach(folder IN LISTS INCLUDES)
  list(APPEND flags -I ${folder})
endforeach()
foreach(unit IN LISTS UNITS ITEMS ${CMAKE_CURRENT_LIST_DIR}/transports.cpp)
  execute_process(COMMAND ${COMPILER} ${flags} ${unit} RESULT_VARIABLE result OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${NAME} rejects ${unit}:\n${output}")
  endif()
endforeach()
