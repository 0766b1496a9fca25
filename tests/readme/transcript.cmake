# SPDX-License-Identifier: Apache-2.0
# Sends the conversation of README.md to SERVER (the thermometer of the host), and compares the responses.
cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/block.cmake)

find_block(${README} "<!-- transcript -->" "```" transcript)
if(transcript STREQUAL "")
  message("skipped: README.md has no block after \"<!-- transcript -->\"")
  return()
endif()

# Lines one by one, because brackets and semicolons mean something in a list of CMake.
set(questions "")
set(expected "")
while(NOT transcript STREQUAL "")
  string(FIND "${transcript}" "\n" end)
  string(SUBSTRING "${transcript}" 0 ${end} line)
  math(EXPR end "${end} + 1")
  string(SUBSTRING "${transcript}" ${end} -1 transcript)
  if(line MATCHES "^→ (.*)$")
    string(APPEND questions "${CMAKE_MATCH_1}\n")
  elseif(line MATCHES "^← (.*)$")
    string(APPEND expected "${CMAKE_MATCH_1}\n")
  elseif(NOT line STREQUAL "")
    message(SEND_ERROR "neither → nor ←: ${line}")
  endif()
endwhile()

file(WRITE ${WORK}/transcript-questions "${questions}")
file(WRITE ${WORK}/transcript-sensor "21500\n")
execute_process(COMMAND ${SERVER} --sensor ${WORK}/transcript-sensor INPUT_FILE ${WORK}/transcript-questions
  OUTPUT_VARIABLE answers TIMEOUT 120 COMMAND_ERROR_IS_FATAL ANY)
if(NOT answers STREQUAL expected)
  message(FATAL_ERROR "README.md shows\n${expected}\nbut the thermometer answers\n${answers}")
endif()
