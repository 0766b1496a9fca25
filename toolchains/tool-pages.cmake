# SPDX-License-Identifier: Apache-2.0
# Prints the pages of tools/list of each server in an image: a host that reads the first page only shows no other tool to
# its model. The compiler has counted them, and the name of a symbol has the result (mcp/detail/link.hpp).
#
# usage: cmake -D NM=arm-none-eabi-nm -D IMAGE=IMAGE.elf -P toolchains/tool-pages.cmake
execute_process(COMMAND ${NM} ${IMAGE} OUTPUT_VARIABLE symbols RESULT_VARIABLE status)
if(status)
  message(FATAL_ERROR "${NM} cannot read ${IMAGE}")
endif()
get_filename_component(name ${IMAGE} NAME)
string(REGEX MATCHALL "_ZN3mcp6detail11features_of[^\n]*L[jmy][0-9]+EL[jmy][0-9]+EEE?" servers "${symbols}")
list(REMOVE_DUPLICATES servers)
foreach(server IN LISTS servers)
  string(REGEX MATCH "L[jmy]([0-9]+)EL[jmy]([0-9]+)EEE?$" numbers "${server}")
  if(CMAKE_MATCH_1 EQUAL 1)
    message("${name}: tools need 1 page")
  elseif(CMAKE_MATCH_1 GREATER 1)
    message("${name}: tools need ${CMAKE_MATCH_1} pages. Many hosts read the first page only. A transmit_size of "
      "${CMAKE_MATCH_2} makes one page")
  endif()
endforeach()
