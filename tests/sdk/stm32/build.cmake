# SPDX-License-Identifier: Apache-2.0
# Builds a copy of examples/stm32 with the commands of its README.md.
#
# cmake -D MOTE_SOURCE= -D WORK= -D FORM=loop|task [-D FOR=board|emulator] [-D STM32_CUBE_DIR=] [-D FREERTOS_DIR=]
#   [-D NODE=] -P build.cmake
#   STM32_CUBE_DIR  the folder with ST's Drivers; without it, the fake of the HAL in the folder hal
#   FOR             emulator, the default: QEMU's stm32vldiscovery with 8 KB of RAM, and qemu.c. board: a NUCLEO-F103RB
#   NODE            Node.js: the stack that toolchains/stack-bound computes fits
cmake_minimum_required(VERSION 3.22)
include(${MOTE_SOURCE}/tests/readme/block.cmake)
set(here ${MOTE_SOURCE}/tests/sdk/stm32)
set(project ${WORK}/project)
# For a compiler cache, the objects of two folders are equal.
set(options "-D MOTE_DIR='${MOTE_SOURCE}' -D CMAKE_PROJECT_nucleo_INCLUDE='${WORK}/prefix.cmake'")
set(heading "## Build it")
if(FORM STREQUAL "task")
  set(heading "### In a task of FreeRTOS")
  if(NOT EXISTS "${FREERTOS_DIR}/tasks.c")
    message("skipped: the sources of FreeRTOS are not there: toolchains/fetch-sources build/sources freertos")
    return()
  endif()
  string(APPEND options " -D FREERTOS_DIR='${FREERTOS_DIR}'")
endif()
find_block(${MOTE_SOURCE}/examples/stm32/README.md "${heading}" "```sh" commands)
if(NOT commands)
  message(FATAL_ERROR "examples/stm32/README.md has no commands below \"${heading}\"")
endif()

file(REMOVE_RECURSE ${WORK})
file(COPY ${MOTE_SOURCE}/examples/stm32/ DESTINATION ${project})
file(WRITE ${WORK}/prefix.cmake "add_compile_options(-ffile-prefix-map=${WORK}=.)\n")
if(NOT STM32_CUBE_DIR)
  file(WRITE ${project}/cmake/stm32cubemx/CMakeLists.txt "add_library(stm32cubemx INTERFACE)
set(core \${CMAKE_SOURCE_DIR}/Core)
target_include_directories(stm32cubemx INTERFACE \${core}/Inc)
target_include_directories(stm32cubemx SYSTEM INTERFACE ${here}/hal)
target_sources(stm32cubemx INTERFACE \${core}/Src/main.c \${core}/Src/stm32f1xx_hal_msp.c \${core}/Src/stm32f1xx_it.c
  ${here}/hal/stm32f1xx_hal.c ${here}/hal/startup.c)
")
endif()

# For toolchains/stack-bound.
set(link "-Wl,--emit-relocs -Wl,--defsym=mote_stack_size=_Min_Stack_Size")
set(sources "")
if(NOT FOR STREQUAL "board")
  # It compiles faster, and the image is up to 3 % larger.
  string(APPEND options " -D MOTE_UNITY=ON")
  file(READ ${project}/STM32F103RBTx_FLASH.ld script)
  string(REPLACE "LENGTH = 20K" "LENGTH = 8K" small "${script}")
  if(small STREQUAL script)
    message(FATAL_ERROR "STM32F103RBTx_FLASH.ld has no RAM of 20K")
  endif()
  file(WRITE ${project}/STM32F103RBTx_FLASH.ld "${small}")
  foreach(name HAL_RCC_OscConfig HAL_RCC_ClockConfig HAL_UART_IRQHandler HAL_UART_Transmit_IT HAL_UART_Receive_IT
      HAL_GPIO_ReadPin HAL_GPIO_WritePin HAL_I2C_Init HAL_I2C_DeInit HAL_I2C_Master_Transmit HAL_I2C_Master_Receive
      HAL_I2C_Mem_Read HAL_I2C_IsDeviceReady HAL_I2C_GetError HardFault_Handler Error_Handler)
    string(APPEND link " -Wl,--wrap=${name}")
  endforeach()
  set(sources "target_sources(\${CMAKE_PROJECT_NAME} PRIVATE ${here}/qemu.c)")
endif()
file(APPEND ${project}/CMakeLists.txt "
${sources}
target_compile_options(\${CMAKE_PROJECT_NAME} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wextra -Werror>)
target_link_options(\${CMAKE_PROJECT_NAME} PRIVATE ${link})
")

foreach(folder "${WORK}/build|build/stm32(_task)?" "${project}|examples/stm32" "${project}|\\$PWD/${project}")
  string(REGEX MATCH "^(.*)\\|(.*)$" pair "${folder}")
  string(REGEX REPLACE "${CMAKE_MATCH_2}" "${CMAKE_MATCH_1}" commands "${commands}")
endforeach()
string(REPLACE "-G Ninja" "-G Ninja ${options}" commands "${commands}")
execute_process(COMMAND ${CMAKE_COMMAND} -E env "STM32_CUBE_DIR=${STM32_CUBE_DIR}" CMAKE_BUILD_PARALLEL_LEVEL=2
  bash -exc "${commands}" COMMAND_ERROR_IS_FATAL ANY)

set(image ${WORK}/build/nucleo.elf)
execute_process(COMMAND arm-none-eabi-size ${image} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${MOTE_SOURCE}/tests/sdk/no_heap arm-none-eabi-nm ${image} COMMAND_ERROR_IS_FATAL ANY)
if(NODE)
  # The main stack of the loop, or that of the task.
  set(task "")
  if(FORM STREQUAL "task")
    file(STRINGS ${project}/Core/Src/app_task.cpp size REGEX "StaticTask<[0-9]+>")
    string(REGEX REPLACE ".*StaticTask<([0-9]+)>.*" "\\1" size "${size}")
    set(task --task "serve\\(void\\*\\)" ${size})
  endif()
  execute_process(COMMAND ${NODE} ${MOTE_SOURCE}/toolchains/stack-bound --calls ${MOTE_SOURCE}/examples/stm32/stack-calls
    ${task} ${image} COMMAND_ERROR_IS_FATAL ANY)
endif()
