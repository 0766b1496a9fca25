# SPDX-License-Identifier: Apache-2.0
# Builds the component for rv32imc, the processor of an ESP32-C3, in the standard and with the warnings of ESP-IDF, with
# stubs of its headers.
cmake_minimum_required(VERSION 3.21)
file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/toolchain.cmake "include(${MOTE_SOURCE}/toolchains/riscv32.cmake)
string(REPLACE rv32imac rv32imc CMAKE_CXX_FLAGS_INIT \"\${CMAKE_CXX_FLAGS_INIT}\")\n")
file(WRITE ${WORK}/source/CMakeLists.txt "cmake_minimum_required(VERSION 3.21)
project(esp_idf CXX)
set(ESP_PLATFORM 1)
set(CONFIG_MOTE_HTTP y)
set(CMAKE_CXX_STANDARD 23)
function(idf_component_register)
  cmake_parse_arguments(arg \"\" \"KCONFIG\" \"SRCS;INCLUDE_DIRS;PRIV_INCLUDE_DIRS;REQUIRES;PRIV_REQUIRES\" \${ARGN})
  add_library(component STATIC \${arg_SRCS})
  target_include_directories(component PRIVATE \${arg_INCLUDE_DIRS} \${arg_PRIV_INCLUDE_DIRS})
  target_include_directories(component SYSTEM PRIVATE ${CMAKE_CURRENT_LIST_DIR}/stubs
    ${CMAKE_CURRENT_LIST_DIR}/../sdk/esp_idf)
  target_compile_options(component PRIVATE -Os -Wall -Wextra -Werror)
  set(COMPONENT_LIB component PARENT_SCOPE)
endfunction()
include(${MOTE_SOURCE}/CMakeLists.txt)\n")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/source -B ${WORK}/build -G ${GENERATOR}
  -D CMAKE_TOOLCHAIN_FILE=${WORK}/toolchain.cmake -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build --parallel 2 COMMAND_ERROR_IS_FATAL ANY)
