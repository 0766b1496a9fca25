# SPDX-License-Identifier: Apache-2.0
# The files that CubeMX generates are of this test, and the HAL is tests/ports/stm32_hal/main.c.
generate(${program} ${WORK}/clone --stm32)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${project} -B ${project}/build -G ${GENERATOR} ERROR_VARIABLE text
  OUTPUT_QUIET RESULT_VARIABLE result)
if(result EQUAL 0 OR NOT text MATCHES "with[ \n]+CubeMX[ \n]+in[ \n]+this[ \n]+folder")
  message(FATAL_ERROR "without the files of CubeMX, CMake ends with ${result}: ${text}")
endif()
find_program(gcc arm-none-eabi-gcc)
if(NOT gcc)
  message("skipped: the compiler for boards is not there; tests/run installs it")
  return()
endif()
file(REMOVE_RECURSE ${project}/build)
set(hal ${tests}/ports/stm32_hal)
file(WRITE ${project}/cmake/gcc-arm-none-eabi.cmake "include(${MOTE_SOURCE}/toolchains/arm-cortex-m4.cmake)\n")
file(WRITE ${project}/cmake/stm32cubemx/CMakeLists.txt "add_library(stm32cubemx INTERFACE)
target_include_directories(stm32cubemx SYSTEM INTERFACE ${hal}/stubs)
target_sources(stm32cubemx INTERFACE ${hal}/main.c)
target_link_options(stm32cubemx INTERFACE -nostartfiles -Wl,--gc-sections -Wl,--entry=main)
")
file(WRITE ${project}/CMakePresets.json [[{ "version": 3,
  "configurePresets": [{ "name": "Debug", "generator": "Ninja", "binaryDir": "${sourceDir}/build/Debug",
    "toolchainFile": "${sourceDir}/cmake/gcc-arm-none-eabi.cmake" }],
  "buildPresets": [{ "name": "Debug", "configurePreset": "Debug" }] }
]])
execute_process(COMMAND ${CMAKE_COMMAND} --preset Debug -D CMAKE_BUILD_TYPE=MinSizeRel ${PRECOMPILE}
  WORKING_DIRECTORY ${project} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build --preset Debug WORKING_DIRECTORY ${project} COMMAND_ERROR_IS_FATAL ANY)
run(arm-none-eabi-nm -C ${project}/build/Debug/${name})
foreach(needed "T run_server" "R server" "T boot_id()" "T read_celsius(float&)")
  contains("${output}" " ${needed}\n" "the image")
endforeach()
foreach(forbidden malloc _sbrk __cxa_throw)
  if(output MATCHES " ${forbidden}\n")
    message(FATAL_ERROR "the image has ${forbidden}")
  endif()
endforeach()
message("package.new_project: --stm32: linked with a fake of the HAL and of the files of CubeMX")
