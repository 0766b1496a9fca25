# SPDX-License-Identifier: Apache-2.0
# The module of Zephyr, as Zephyr includes its CMakeLists.txt: the functions take the arguments of
# cmake/modules/extensions.cmake and collect them. An application with the folders of the module compiles.
#
# usage: cmake -D MOTE_SOURCE=… -D COMPILER=… -D WORK=… -P module.cmake
cmake_minimum_required(VERSION 3.21)

macro(zephyr_library_named name)
  if(NOT "${ARGN}" STREQUAL "" OR NOT "${name}" STREQUAL "mote")
    message(FATAL_ERROR "zephyr_library_named(${name} ${ARGN})")
  endif()
endmacro()
# collect(KIND VALUE...): refuses keywords, which these functions do not have.
function(collect kind)
  foreach(value IN LISTS ARGN)
    if(value MATCHES "^[A-Z_]+$")
      message(FATAL_ERROR "${kind}: unknown argument ${value}")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY ${kind} ${ARGN})
endfunction()
function(zephyr_library_sources source)
  collect(sources ${source} ${ARGN})
endfunction()
function(zephyr_library_sources_ifdef toggle source)
  if(${toggle})
    collect(sources ${source} ${ARGN})
  endif()
endfunction()
function(zephyr_include_directories)
  collect(folders ${ARGN})
endfunction()
function(zephyr_library_include_directories)
  collect(folders ${ARGN})
endfunction()
function(zephyr_library_compile_options option)
  collect(options ${option} ${ARGN})
endfunction()

# read_module(CONFIG...): includes the file with these options of Kconfig. Sets `sources`.
function(read_module)
  foreach(kind sources folders options)
    set_property(GLOBAL PROPERTY ${kind} "")
  endforeach()
  foreach(config IN LISTS ARGN)
    set(CONFIG_${config} y)
  endforeach()
  include(${MOTE_SOURCE}/zephyr/CMakeLists.txt)
  foreach(kind sources folders)
    get_property(paths GLOBAL PROPERTY ${kind})
    foreach(path IN LISTS paths)
      if(NOT IS_ABSOLUTE ${path} OR NOT EXISTS ${path})
        message(FATAL_ERROR "${kind}: ${path} does not exist")
      endif()
    endforeach()
  endforeach()
  get_property(sources GLOBAL PROPERTY sources)
  set(sources "${sources}" PARENT_SCOPE)
endfunction()

# expect(COUNT REGEX CONFIG...): with these options, COUNT sources match.
function(expect count regex)
  read_module(${ARGN})
  list(FILTER sources INCLUDE REGEX "${regex}")
  list(LENGTH sources found)
  if(NOT found EQUAL count)
    message(FATAL_ERROR "${ARGN}: ${found} sources match ${regex}, not ${count}")
  endif()
endfunction()

expect(0 "." MOTE_UART)
expect(2 "(core/engine/server|stdio/stdio_transport)[.]cpp$" MOTE)
expect(3 "ports/sdk/zephyr/" MOTE)
expect(3 "ports/devices/(bme280|sensor|sensor_rows)[.]cpp$" MOTE)
expect(0 "/http/|/sockets/" MOTE MOTE_UART CSPRNG_ENABLED)
expect(0 "/mqtt/" MOTE MOTE_HTTP)
expect(3 "(http_transport|http1/request_head|sockets_tcp)[.]cpp$" MOTE MOTE_HTTP)
expect(0 "/http/" MOTE MOTE_MQTT)
expect(2 "(mqtt_transport|sockets_dialer)[.]cpp$" MOTE MOTE_MQTT)
expect(1 "sockets_dialer[.]cpp$" MOTE MOTE_HTTP MOTE_MQTT)
file(GLOB port ${MOTE_SOURCE}/ports/sdk/zephyr/*.cpp)
list(LENGTH port count)
expect(${count} "ports/sdk/zephyr/" MOTE MOTE_UART MOTE_POLLED_UART I2C MOTE_SENSORS ENTROPY_GENERATOR
  CSPRNG_ENABLED)
expect(1 "zephyr_(polled_)?uart[.]cpp$" MOTE MOTE_POLLED_UART)
# With a sensor in two lines.
read_module(MOTE I2C)
get_property(folders GLOBAL PROPERTY folders)
list(TRANSFORM folders PREPEND "-I")
file(WRITE ${WORK}/application.cpp "#include <mcp/devices/bme280.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/ports/zephyr_i2c.hpp>
#include <mcp/stdio_transport.hpp>
mcp::I2cBus& bus();
mcp::Millis now();
constexpr mcp::MeasureOptions each_second{.now = now};
constinit mcp::Measured<mcp::Bme280, each_second> air{bus, 0x76};
constexpr mcp::Resource resources[] = {mcp::sensor<air>({.uri = \"sensor://air\", .name = \"air\"})};
static_assert(!resources[0].uri.empty());
")
execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Werror ${folders}
  -isystem ${CMAKE_CURRENT_LIST_DIR}/stubs ${WORK}/application.cpp COMMAND_ERROR_IS_FATAL ANY)

get_property(options GLOBAL PROPERTY options)
if(NOT options STREQUAL "-fno-exceptions;-fno-rtti;-fno-threadsafe-statics")
  message(FATAL_ERROR "the options are ${options}")
endif()
