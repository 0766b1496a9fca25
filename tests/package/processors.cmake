# SPDX-License-Identifier: Apache-2.0
# Processors that no board of mote has. Code with atomics is compiled for an ARMv6-M, which has no atomic instructions:
# no object may need a function of libatomic. Code that depends on the byte order is compiled for a big-endian processor.
cmake_minimum_required(VERSION 3.21)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(flags -mthumb -std=c++20 -Os -fno-exceptions -fno-rtti -fno-threadsafe-statics -Wno-psabi)
foreach(folder core/include transports/include ports/include ports/bare_metal/include core transports "")
  list(APPEND flags -I${MOTE_SOURCE}/${folder})
endforeach()

# compile(SOURCE FLAG...): compiles SOURCE to WORK/object.o.
function(compile source)
  execute_process(COMMAND ${COMPILER} ${flags} ${ARGN} -c ${source} -o ${WORK}/object.o
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${source} with ${ARGN} ends with ${result}:\n${output}")
  endif()
endfunction()

# Every source with atomics, and the headers.
file(GLOB_RECURSE sources ${MOTE_SOURCE}/core/*.cpp ${MOTE_SOURCE}/transports/*.cpp ${MOTE_SOURCE}/ports/bare_metal/*.cpp)
set(count 0)
foreach(source IN LISTS sources ITEMS ${CMAKE_CURRENT_LIST_DIR}/atomics.cpp)
  file(READ ${source} text)
  if(NOT text MATCHES "[Aa]tomic|_relaxed\\(")
    continue()
  endif()
  compile(${source} -mcpu=cortex-m0)
  execute_process(COMMAND ${NM} ${WORK}/object.o OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  if(symbols MATCHES " U (__(atomic|sync)_[^\n]*)")
    message(FATAL_ERROR "${source} needs ${CMAKE_MATCH_1} on an ARMv6-M")
  endif()
  math(EXPR count "${count} + 1")
endforeach()
if(count LESS 3)
  message(FATAL_ERROR "only ${count} sources with atomics: what was looked for?")
endif()

foreach(source core/schema/arguments.cpp core/schema/structured.cpp core/json/value.cpp)
  compile(${MOTE_SOURCE}/${source} -mcpu=cortex-m3 -mbig-endian)
endforeach()
if(LWIP)
  compile(${CMAKE_CURRENT_LIST_DIR}/byte_order.cpp -mcpu=cortex-m3 -mbig-endian -isystem ${MOTE_SOURCE}/ports/lwip/config
    -isystem ${LWIP}/src/include -DMOTE_LWIP_CONNECTIONS=4 -DMOTE_LWIP_MTU=576 -DMOTE_LWIP_DHCP=1 -DMOTE_LWIP_MDNS=1
    -DMOTE_LWIP_SNTP=1)
endif()
