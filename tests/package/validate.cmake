# SPDX-License-Identifier: Apache-2.0
# Runs a validator, COMMAND, in FOLDER. It must succeed and report no error.
list(GET COMMAND 0 program)
if(NOT EXISTS ${program})
  message("skipped: ${program} is not installed; tests/run --all does that")
  return()
endif()
execute_process(COMMAND ${COMMAND} WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE result OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
message("${output}")
if(NOT result EQUAL 0 OR output MATCHES "ERROR")
  message(FATAL_ERROR "${COMMAND} ends with ${result}")
endif()
