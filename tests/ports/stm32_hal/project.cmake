# SPDX-License-Identifier: Apache-2.0
# Builds the project of ports/sdk/stm32_hal/README.md, with main.c and the stubs of this folder in place of the HAL.
# cmake -DMOTE_SOURCE= -DWORK= -P project.cmake
cmake_minimum_required(VERSION 3.21)
include(${MOTE_SOURCE}/tests/readme/block.cmake)

set(readme ${MOTE_SOURCE}/ports/sdk/stm32_hal/README.md)
set(heading "## From CubeMX to a server")
find_block(${readme} "${heading}" "```cmake" lines)
find_block(${readme} "${heading}" "```cpp" application)
if(NOT lines OR NOT application)
  message(FATAL_ERROR "${readme} has no CMake lines or no application under \"${heading}\"")
endif()

file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/Core/Src/app.cpp "${application}")
file(CREATE_LINK ${MOTE_SOURCE} ${WORK}/mote SYMBOLIC)
# As CubeMX writes these files.
file(WRITE ${WORK}/cmake/stm32cubemx/CMakeLists.txt "add_library(stm32cubemx INTERFACE)
target_include_directories(stm32cubemx SYSTEM INTERFACE ${CMAKE_CURRENT_LIST_DIR}/stubs)
target_sources(stm32cubemx INTERFACE ${CMAKE_CURRENT_LIST_DIR}/main.c)
")
file(WRITE ${WORK}/CMakeLists.txt "cmake_minimum_required(VERSION 3.21)
set(CMAKE_PROJECT_NAME firmware)
project(\${CMAKE_PROJECT_NAME})
enable_language(C CXX ASM)
add_executable(\${CMAKE_PROJECT_NAME})
add_subdirectory(cmake/stm32cubemx)
${lines}
target_link_libraries(\${CMAKE_PROJECT_NAME} stm32cubemx)
target_link_options(\${CMAKE_PROJECT_NAME} PRIVATE -nostartfiles -Wl,--gc-sections -Wl,--entry=main)
")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK} -B ${WORK}/build -G Ninja -D CMAKE_BUILD_TYPE=MinSizeRel
  -D CMAKE_TOOLCHAIN_FILE=${MOTE_SOURCE}/toolchains/arm-cortex-m4.cmake
  ${PRECOMPILE} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build COMMAND_ERROR_IS_FATAL ANY)

execute_process(COMMAND arm-none-eabi-nm -C ${WORK}/build/firmware OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
foreach(needed "T HAL_UART_RxCpltCallback" "T HAL_UART_TxCpltCallback" "T HAL_UART_ErrorCallback" "T run_server")
  if(NOT symbols MATCHES " ${needed}\n")
    message(FATAL_ERROR "the image has no ${needed}")
  endif()
endforeach()
foreach(forbidden malloc _sbrk abort_message __cxa_throw)
  if(symbols MATCHES " ${forbidden}\n")
    message(FATAL_ERROR "the image has ${forbidden}")
  endif()
endforeach()
