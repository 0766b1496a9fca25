# SPDX-License-Identifier: Apache-2.0
# Tests of examples/freertos, which stays a project like that of a user. tests/run adds this file to it with
# -DCMAKE_PROJECT_mote_freertos_INCLUDE=; it runs before the targets exist, so the tests come at the end of the project.
enable_testing()
find_program(MOTE_NODE node)
find_program(MOTE_BASH NAMES bash REQUIRED)
set(MOTE_FREERTOS_TESTS ${CMAKE_CURRENT_LIST_DIR})

function(freertos_tests)
  set(here ${MOTE_FREERTOS_TESTS})
  file(REAL_PATH ${here}/../../.. root)
  set(example ${root}/examples/freertos)

  # The same kernel, with ticks of 16 bits.
  get_target_property(sources freertos_kernel SOURCES)
  add_library(freertos_kernel_16 STATIC ${sources})
  set_target_properties(freertos_kernel_16 PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
  target_include_directories(freertos_kernel_16 BEFORE PUBLIC ${here})
  target_include_directories(freertos_kernel_16 SYSTEM PUBLIC ${FREERTOS_DIR}/include ${kernel_port})
  add_executable(wakes ${here}/wakes.cpp ${example}/board.cpp)
  target_include_directories(wakes PRIVATE ${here} ${example} ${root}/tests/firmware/mps2_an385)
  target_link_libraries(wakes PRIVATE mote::freertos mote::mps2_an385 freertos_kernel_16)
  mote_firmware(wakes)

  foreach(image tank wakes)
    add_test(NAME sdk.freertos.no_heap_${image} COMMAND ${MOTE_BASH} ${here}/../no_heap ${CMAKE_NM}
      $<TARGET_FILE:${image}>)
  endforeach()
  add_test(NAME client.tank.freertos COMMAND ${MOTE_NODE} ${here}/freertos.test.mjs board ${root}/toolchains/emulate
    mps2_an385 $<TARGET_FILE:tank> $<TARGET_FILE:wakes>)
  set_tests_properties(client.tank.freertos PROPERTIES SKIP_RETURN_CODE 77)

  # The guide of the port connects the board to an MCP host.
  add_test(NAME readme.host_play.freertos COMMAND ${MOTE_NODE} ${root}/tests/readme/host_play.mjs serial
    ports/sdk/freertos/README.md ${root}/toolchains/emulate mps2_an385 $<TARGET_FILE:tank>)
  set_tests_properties(readme.host_play.freertos PROPERTIES SKIP_RETURN_CODE 77)

  # A processor without compare-and-swap: the port has the lock of the Mailbox.
  add_test(NAME sdk.freertos.armv6m COMMAND ${MOTE_BASH} ${here}/armv6m ${CMAKE_CXX_COMPILER} ${CMAKE_NM} ${root}
    ${FREERTOS_DIR} ${CMAKE_BINARY_DIR}/armv6m)

  # clang-tidy in place of the cross compiler.
  find_program(MOTE_CLANG_TIDY clang-tidy-22)
  file(GLOB cxx_headers /usr/include/newlib/c++/*)
  if(NOT MOTE_CLANG_TIDY)
    return()
  endif()
  set(flags --target=arm-none-eabi -mcpu=cortex-m3 -std=c++20 -fno-exceptions -fno-rtti -nostdinc++
    -isystem${cxx_headers} -isystem${cxx_headers}/arm-none-eabi/thumb/v7-m/nofp -isystem/usr/include/newlib
    -isystem${FREERTOS_DIR}/include -isystem${kernel_port})
  foreach(folder core/include transports/include ports/include ports/sdk/freertos/include ports/bare_metal/include
      ports/boards/mps2_an385/include examples/freertos)
    list(APPEND flags -I${root}/${folder})
  endforeach()
  file(GLOB files RELATIVE ${root} ${root}/ports/sdk/freertos/*.cpp ${example}/*.cpp)
  foreach(file IN LISTS files)
    add_test(NAME lint.tidy.${file} COMMAND ${MOTE_CLANG_TIDY} --quiet --header-filter=ports/sdk ${file} -- ${flags}
      WORKING_DIRECTORY ${root})
    set_tests_properties(lint.tidy.${file} PROPERTIES LABELS "lint;all")
  endforeach()
endfunction()
cmake_language(DEFER CALL freertos_tests)
