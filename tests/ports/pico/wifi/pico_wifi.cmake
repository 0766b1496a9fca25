# SPDX-License-Identifier: Apache-2.0
# pico_lwip(TARGET [FOLDER]): lwIP with the options for a Pico W, or with the lwipopts.h in FOLDER.
function(pico_lwip target)
  set(core ${MOTE_LWIP_SOURCES}/src/core)
  set(apps ${MOTE_LWIP_SOURCES}/src/apps/mdns)
  add_library(${target} STATIC ${core}/init.c ${core}/def.c ${core}/inet_chksum.c ${core}/ip.c ${core}/mem.c
    ${core}/memp.c ${core}/netif.c ${core}/pbuf.c ${core}/tcp.c ${core}/tcp_in.c ${core}/tcp_out.c ${core}/timeouts.c
    ${core}/udp.c ${core}/ipv4/dhcp.c ${core}/ipv4/etharp.c ${core}/ipv4/icmp.c ${core}/ipv4/igmp.c ${core}/ipv4/ip4.c
    ${core}/ipv4/ip4_addr.c ${MOTE_LWIP_SOURCES}/src/netif/ethernet.c ${apps}/mdns.c ${apps}/mdns_domain.c
    ${apps}/mdns_out.c)
  target_include_directories(${target} SYSTEM PUBLIC ${ARGN} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lwip
    ${PROJECT_SOURCE_DIR} ${MOTE_LWIP_SOURCES}/src/include)
  target_compile_definitions(${target} PUBLIC MOTE_LWIP_LOCK=1)
  # lwIP calls functions through pointers to other types.
  target_compile_options(${target} PRIVATE -w -ffunction-sections -fdata-sections
    $<$<C_COMPILER_ID:Clang>:-fno-sanitize=function>)
endfunction()

# pico_wifi(TARGET): the port with its radio replaced.
function(pico_wifi target)
  set(pico ${PROJECT_SOURCE_DIR}/ports/sdk/pico)
  set(tests ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  target_sources(${target} PRIVATE ${tests}/fake_cyw43.cpp ${pico}/pico_time.cpp ${pico}/pico_wifi.cpp)
  target_include_directories(${target} PRIVATE ${tests}/../stubs ${pico}/include ${pico}
    ${PROJECT_SOURCE_DIR}/tests/sdk/pico/cyw43/src ${PROJECT_SOURCE_DIR})
endfunction()
