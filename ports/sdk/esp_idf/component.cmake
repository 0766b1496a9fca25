# SPDX-License-Identifier: Apache-2.0
# mote as a component of ESP-IDF, included by the top-level CMakeLists.txt. ESP-IDF runs it twice, first as a script that
# only reads the arguments of idf_component_register(), without the values of Kconfig.
get_filename_component(mote ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
file(GLOB sources ${mote}/core/*/*.cpp ${mote}/core/kit/*/*.cpp ${mote}/transports/stdio/*.cpp
  ${mote}/ports/devices/*.cpp ${mote}/ports/workbench/*.cpp ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
if(CONFIG_MOTE_HTTP)
  file(GLOB http ${mote}/transports/http/*.cpp ${mote}/transports/http/http1/*.cpp
    ${mote}/transports/http/metrics/*.cpp ${mote}/transports/http/page/*.cpp)
  list(APPEND sources ${http})
endif()
if(CONFIG_MOTE_MQTT)
  file(GLOB mqtt ${mote}/transports/mqtt/*.cpp)
  list(APPEND sources ${mqtt})
endif()
# With the mbedTLS of ESP-IDF: 3.6 in v5, 4 in v6.
if(CONFIG_MOTE_TLS)
  list(APPEND sources ${mote}/ports/mbedtls/mbedtls_dialer.cpp ${mote}/ports/mbedtls/mbedtls_hmac.cpp
    ${mote}/ports/mbedtls/mbedtls_sdk.cpp ${mote}/ports/mbedtls/mbedtls_tls.cpp)
endif()
if(CONFIG_MOTE_HTTP OR CONFIG_MOTE_MQTT)
  file(GLOB sockets ${mote}/ports/sockets/*.cpp)
  list(APPEND sources ${sockets})
endif()
if(NOT CONFIG_MOTE_WIFI)
  list(REMOVE_ITEM sources ${CMAKE_CURRENT_LIST_DIR}/esp_idf_wifi.cpp)
endif()
set(includes ${mote}/core/include ${mote}/transports/include ${mote}/ports/include ${mote}/ports/devices/include
  ${mote}/ports/workbench/include ${mote}/ports/sockets/include ${mote}/ports/mbedtls/include
  ${CMAKE_CURRENT_LIST_DIR}/include)
# The target linux has no UART, so mcp::posix::Stdio is its stream. Its esp_timer may have no sources.
idf_build_get_property(target IDF_TARGET)
set(drivers esp_driver_uart esp_driver_usb_serial_jtag)
set(private esp_hw_support esp_timer lwip)
if(target STREQUAL "linux")
  list(REMOVE_ITEM sources ${CMAKE_CURRENT_LIST_DIR}/esp_idf_millis.cpp ${CMAKE_CURRENT_LIST_DIR}/esp_idf_records.cpp)
  list(APPEND sources ${CMAKE_CURRENT_LIST_DIR}/linux/esp_idf_linux.cpp ${mote}/ports/posix/posix.cpp)
  list(APPEND includes ${mote}/ports/posix/include)
else()
  list(APPEND drivers esp_driver_gpio esp_driver_i2c)
  list(APPEND private esp_event esp_netif esp_wifi nvs_flash)
endif()
idf_component_register(
  SRCS ${sources}
  INCLUDE_DIRS ${includes}
  PRIV_INCLUDE_DIRS ${mote} ${mote}/core ${mote}/transports
  REQUIRES ${drivers} mbedtls
  PRIV_REQUIRES ${private}
  KCONFIG ${CMAKE_CURRENT_LIST_DIR}/Kconfig)
target_compile_options(${COMPONENT_LIB} PRIVATE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
  $<$<COMPILE_LANGUAGE:CXX>:-fno-threadsafe-statics>)
