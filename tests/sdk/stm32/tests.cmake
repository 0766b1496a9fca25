# SPDX-License-Identifier: Apache-2.0
# examples/stm32, built with its README's commands: with the fake of the HAL and qemu.c, and with ST's HAL if
# STM32_CUBE_DIR names the folder with Drivers. The official client is connected to the images in QEMU. tests/ports/stm32_hal
# includes this file.
set(STM32_CUBE_DIR "" CACHE PATH "The folder with ST's Drivers/STM32F1xx_HAL_Driver and Drivers/CMSIS, as in STM32CubeF1")
set(FREERTOS_DIR ${PROJECT_SOURCE_DIR}/build/sources/freertos/Source CACHE PATH "FreeRTOS V9 to V11, the folder with tasks.c")
set(here ${PROJECT_SOURCE_DIR}/tests/sdk/stm32)
set(work ${CMAKE_CURRENT_BINARY_DIR}/stm32)
set(emulate ${PROJECT_SOURCE_DIR}/toolchains/emulate ${here}/stm32vldiscovery.emulator)
find_program(MOTE_QEMU_ARM qemu-system-arm)

# stm32_test(NAME COMMAND...): skipped if a program is missing.
function(stm32_test name)
  set(command ${ARGN})
  if(NOT MOTE_NODE OR NOT MOTE_ARM_GCC OR NOT MOTE_QEMU_ARM)
    set(command ${CMAKE_COMMAND} -E echo
      "skipped: Node.js, the compiler for boards or the emulator is not there; tests/run installs them")
  elseif(name MATCHES "[.]hal_" AND NOT STM32_CUBE_DIR)
    set(command ${CMAKE_COMMAND} -E echo "skipped: the HAL of ST is not there; -D STM32_CUBE_DIR= names its folder")
  elseif(name MATCHES "task" AND NOT EXISTS ${FREERTOS_DIR}/tasks.c)
    set(command ${CMAKE_COMMAND} -E echo
      "skipped: the sources of FreeRTOS are not there: toolchains/fetch-sources build/sources freertos")
  endif()
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 SKIP_REGULAR_EXPRESSION "(^|\n)skipped: ")
endfunction()

# hal_loop and hal_task are with ST's HAL.
foreach(name loop task hal_loop hal_task)
  string(REGEX REPLACE ".*_" "" form ${name})
  set(hal "")
  set(machines emulator)
  if(name MATCHES "hal_")
    set(hal ${STM32_CUBE_DIR})
    set(machines emulator board)
  endif()
  foreach(machine IN LISTS machines)
    set(test stm32.build.${name})
    if(machine STREQUAL "board")
      string(APPEND test _board)
    endif()
    stm32_test(${test} ${CMAKE_COMMAND} -D MOTE_SOURCE=${PROJECT_SOURCE_DIR} -D WORK=${work}/${name}_${machine}
      -D FORM=${form} -D FOR=${machine} -D STM32_CUBE_DIR=${hal} -D FREERTOS_DIR=${FREERTOS_DIR} -D NODE=${MOTE_NODE}
      -P ${here}/build.cmake)
    set_tests_properties(${test} PROPERTIES PROCESSORS 2 TIMEOUT 1800)
  endforeach()
  set(image ${work}/${name}_emulator/build/nucleo.elf)
  set_tests_properties(stm32.build.${name} PROPERTIES FIXTURES_SETUP stm32.${name})
  stm32_test(client.stm32.${name} ${MOTE_NODE} ${here}/nucleo.test.mjs board ${emulate} ${image})
  set_tests_properties(client.stm32.${name} PROPERTIES FIXTURES_REQUIRED stm32.${name})
endforeach()

# What toolchains/stack-bound says of a task that it does not find, or whose stack is too small.
foreach(task "none|none 2048|0 functions have this name, .*none" "small|serve.* 512|[0-9]+ bytes do not fit into 512")
  string(REGEX MATCH "^(.*)[|](.*) (.*)[|](.*)$" parts "${task}")
  set(sentence "${CMAKE_MATCH_4}")
  set(test stm32.stack_bound.task_${CMAKE_MATCH_1})
  stm32_test(${test} ${MOTE_NODE} ${PROJECT_SOURCE_DIR}/toolchains/stack-bound
    --calls ${PROJECT_SOURCE_DIR}/examples/stm32/stack-calls --task ${CMAKE_MATCH_2} ${CMAKE_MATCH_3}
    ${work}/task_emulator/build/nucleo.elf)
  set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "${sentence}" FIXTURES_REQUIRED stm32.task)
endforeach()

# mistake(NAME SENTENCE OPTION...): CMake stops with this sentence.
function(mistake name sentence)
  stm32_test(stm32.mistake.${name} ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR}/examples/stm32 -B ${work}/mistake_${name}
    -G ${CMAKE_GENERATOR} -D CMAKE_TOOLCHAIN_FILE=${PROJECT_SOURCE_DIR}/examples/stm32/cmake/gcc-arm-none-eabi.cmake ${ARGN})
  set_tests_properties(stm32.mistake.${name} PROPERTIES PASS_REGULAR_EXPRESSION "${sentence}")
endfunction()
mistake(no_hal "there is no[ \n]+Drivers/STM32F1xx_HAL_Driver in this")
mistake(no_freertos "there is no tasks[.]c in this[ \n]+folder" -D USE_FREERTOS=ON)

# The README connects the board to an MCP host.
stm32_test(readme.host_play.stm32 ${MOTE_NODE} ${PROJECT_SOURCE_DIR}/tests/readme/host_play.mjs serial
  examples/stm32/README.md ${emulate} ${work}/loop_emulator/build/nucleo.elf)
set_tests_properties(readme.host_play.stm32 PROPERTIES FIXTURES_REQUIRED stm32.loop)
mote_tier(all "^(stm32[.](build|stack_bound)|client[.]stm32|readme[.]host_play)[.]")
