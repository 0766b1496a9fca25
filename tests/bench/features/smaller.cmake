# SPDX-License-Identifier: Apache-2.0
# Revision 2026-07-28 alone makes a smaller image than both eras: what only the older revisions need is left out.
#
# usage: cmake -D SIZE=… -D SMALLER=IMAGE -D LARGER=IMAGE -P smaller.cmake
cmake_minimum_required(VERSION 3.20)

function(flash_of image result)
  execute_process(COMMAND ${SIZE} ${image} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "\n *([0-9]+)[ \t]+([0-9]+)" found "${text}")
  math(EXPR flash "${CMAKE_MATCH_1} + ${CMAKE_MATCH_2}")
  set(${result} ${flash} PARENT_SCOPE)
endfunction()

flash_of(${SMALLER} smaller)
flash_of(${LARGER} larger)
message("2026-07-28 alone: ${smaller} bytes of flash; both eras: ${larger}")
if(NOT smaller LESS larger)
  message(FATAL_ERROR "one era is not smaller than two")
endif()
