# SPDX-License-Identifier: Apache-2.0
# Builds the target FIRMWARE (the code of README.md), starts IMAGE (with RUN, a command whose words are separated by |,
# if there is one), calls its tool and reads its resource, which has CELSIUS.
cmake_minimum_required(VERSION 3.20)

if(NOT FIRMWARE)
  message("skipped: README.md has no cpp block under \"## A complete firmware\"")
  return()
endif()

execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target ${FIRMWARE} COMMAND_ERROR_IS_FATAL ANY)

string(REPLACE "|" ";" run "${RUN}")
set(questions ${BUILD}/readme-questions)
file(WRITE ${questions} [[
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"readme-test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"set_led","arguments":{"percent":40}}}
{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"sensor://temperature"}}
]])
execute_process(COMMAND ${run} ${IMAGE} INPUT_FILE ${questions} OUTPUT_VARIABLE answers ERROR_VARIABLE log TIMEOUT 60
  COMMAND_ERROR_IS_FATAL ANY)
message("${answers}${log}")
foreach(expected
    [["id":1,"result":{"protocolVersion":"2025-11-25"]]
    [["id":2,"result":{"content":[{"type":"text","text":"]]
    [["id":3,"result":{"contents":[{"uri":"sensor://temperature","mimeType":"application/json","text":"{\"temperature\":{\"value\":]]
    "\\\"value\\\":${CELSIUS},\\\"unit\\\":\\\"Cel\\\"}")
  string(FIND "${answers}" "${expected}" at)
  if(at EQUAL -1)
    message(SEND_ERROR "not in the answers: ${expected}")
  endif()
endforeach()
string(FIND "${answers}" "isError" at)
if(NOT at EQUAL -1)
  message(SEND_ERROR "the tool call is an error")
endif()
string(FIND "${log}" "LED 40" at)
if(NOT RUN AND at EQUAL -1)
  message(SEND_ERROR "the tool call has not reached board::led()")
endif()
