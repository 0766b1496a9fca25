# SPDX-License-Identifier: Apache-2.0
# The check of lwipopts.h: each option that the port needs, with a value that does not do, gives an error that names it.
# Without that, the headers compile.
# usage: cmake -D COMPILER=C++ -D SOURCE=ROOT -D LWIP=ROOT -D WORK=FOLDER -P options.cmake
file(MAKE_DIRECTORY ${WORK})
file(WRITE ${WORK}/all.cpp "#include <mcp/ports/lwip_mdns.hpp>\n#include <mcp/ports/lwip_sntp.hpp>\n#include <mcp/ports/lwip_tcp.hpp>\n")

# compiles(OPTIONS): sets `error` to what the compiler says with these lines at the end of lwipopts.h; empty for none.
function(compiles options)
  # The C library has a BYTE_ORDER, too.
  file(WRITE ${WORK}/lwipopts.h "#include <sys/types.h>\n#include \"${SOURCE}/tests/ports/lwip/attached/lwipopts.h\"\n${options}")
  execute_process(COMMAND ${COMPILER} -std=gnu++20 -fsyntax-only -I${WORK} -I${SOURCE}/tests/ports/lwip/attached
    -I${SOURCE}/tests/ports/lwip -I${LWIP}/src/include -I${SOURCE}/ports/lwip/include -I${SOURCE}/ports/include
    -I${SOURCE}/core/include ${WORK}/all.cpp
    RESULT_VARIABLE result ERROR_VARIABLE text)
  if(result EQUAL 0)
    set(text "")
  elseif(text STREQUAL "")
    set(text "no message")
  endif()
  set(error "${text}" PARENT_SCOPE)
endfunction()

compiles("")
if(NOT error STREQUAL "")
  message(FATAL_ERROR "valid options do not compile:\n${error}")
endif()

set(count 0)
foreach(case
    "LWIP_IPV4 0|mote needs LWIP_IPV4 1"
    "LWIP_TCP 0|mote needs LWIP_TCP 1"
    "LWIP_CALLBACK_API 0|mote needs LWIP_CALLBACK_API 1"
    "NO_SYS 0,LWIP_TCPIP_CORE_LOCKING 0|mote needs LWIP_TCPIP_CORE_LOCKING 1"
    "NO_SYS 0,MOTE_LWIP_LOCK 1|MOTE_LWIP_LOCK 1 is for NO_SYS 1"
    "BYTE_ORDER BIG_ENDIAN|BYTE_ORDER must be the byte order of the compiler's target"
    "TCP_WND 65536|mote needs a TCP_WND of 65535 bytes at most"
    "TCP_LISTEN_BACKLOG 0|mote needs TCP_LISTEN_BACKLOG 1"
    "LWIP_MDNS_RESPONDER 0|MdnsResponder needs LWIP_MDNS_RESPONDER 1"
    "LWIP_IGMP 0|MdnsResponder needs LWIP_MDNS_RESPONDER 1 and LWIP_IGMP 1"
    "MDNS_MAX_SERVICES 0|MdnsResponder needs MDNS_MAX_SERVICES 1"
    "LWIP_UDP 0|SntpClock needs LWIP_UDP 1")
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 options)
  list(GET case 1 sentence)
  string(REPLACE "," ";" options "${options}")
  set(lines "")
  foreach(option IN LISTS options)
    string(REGEX MATCH "^[A-Z0-9_]+" name "${option}")
    string(APPEND lines "#undef ${name}\n#define ${option}\n")
  endforeach()
  compiles("${lines}")
  string(FIND "${error}" "${sentence}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${options}: the error does not say \"${sentence}\":\n${error}")
  endif()
  math(EXPR count "${count} + 1")
endforeach()

# Each #error has a case: the version has none, and one sentence has two.
file(STRINGS ${SOURCE}/ports/lwip/include/mcp/ports/lwip_options.h errors REGEX "^#error")
list(LENGTH errors size)
if(NOT size EQUAL count)
  message(FATAL_ERROR "lwip_options.h has ${size} errors, and this test has ${count} cases")
endif()
