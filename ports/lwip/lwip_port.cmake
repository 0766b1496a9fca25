# SPDX-License-Identifier: Apache-2.0
# The port to a lwIP that the application builds and starts. It needs no sources of lwIP here.

# The sources for each lwIP, also for one that the application starts.
set(MOTE_LWIP_PORT lwip_dialer.cpp lwip_interface.cpp lwip_tcp.cpp CACHE INTERNAL "Sources of the port to any lwIP")

# mote_lwip_port(NAME STACK [MDNS] [SNTP] [STATS]): target mote_NAME, alias mote::NAME, the port to a lwIP that the application
# builds and starts. The target STACK has the include directories of lwIP and of its lwipopts.h.
function(mote_lwip_port name stack)
  cmake_parse_arguments(PARSE_ARGV 2 arg "MDNS;SNTP;STATS" "" "")
  list(TRANSFORM MOTE_LWIP_PORT PREPEND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ OUTPUT_VARIABLE port)
  if(arg_MDNS)
    list(APPEND port ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lwip_mdns.cpp)
  endif()
  if(arg_SNTP)
    list(APPEND port ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lwip_sntp.cpp)
  endif()
  if(arg_STATS)
    list(APPEND port ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lwip_figures.cpp)
  endif()
  add_library(mote_${name} STATIC ${port})
  add_library(mote::${name} ALIAS mote_${name})
  mote_target(mote_${name})
  mote_unity(mote_${name})
  target_include_directories(mote_${name} PUBLIC ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/include
    PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../..)
  target_include_directories(mote_${name} SYSTEM PUBLIC $<TARGET_PROPERTY:${stack},INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(mote_${name} PUBLIC mote::core mote::ports ${stack})
endfunction()
