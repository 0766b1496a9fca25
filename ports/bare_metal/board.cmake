# SPDX-License-Identifier: Apache-2.0
# mote_board(NAME SOURCE...): library mote::NAME, the board of this folder. An executable that links it becomes an image
# that boots. The library adds the sources that all boards share, NAME.ld, the stack and the map. The linker script
# names the reset code as the entry, so the linker takes start-up and vector table from the archive.
include(GNUInstallDirs)
set(MOTE_UART_RX_SIZE 256 CACHE STRING "Bytes in the receive ring of the UART; a power of two")

function(mote_board name)
  set(bare_metal ${PROJECT_SOURCE_DIR}/ports/bare_metal)
  set(shared ending fault_report memory semihosting stack wait)
  list(TRANSFORM shared REPLACE "(.+)" "${bare_metal}/\\1.cpp")
  mote_library(${name} ${CMAKE_CURRENT_SOURCE_DIR} ${ARGN} ${shared})
  target_include_directories(mote_${name} PUBLIC $<BUILD_INTERFACE:${bare_metal}/include> PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(mote_${name} PUBLIC mote::core mote::ports mote::no_throw)
  # The vector table, the handlers and memcpy are found by name, which link-time optimisation does not see.
  set_target_properties(mote_${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
  target_compile_definitions(mote_${name} PRIVATE MOTE_UART_RX_SIZE=${MOTE_UART_RX_SIZE})
  # An image has no C++ runtime. Code that needs it does not link.
  target_compile_options(mote_${name} INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>)

  set(stack_size "$<TARGET_PROPERTY:MOTE_STACK_SIZE>")
  set(scripts ${CMAKE_INSTALL_LIBDIR}/mote)
  set(installed $<INSTALL_PREFIX>/${scripts})
  target_link_options(mote_${name} INTERFACE
    -nostartfiles
    -Wl,--gc-sections
    -Wl,--fatal-warnings
    "$<BUILD_INTERFACE:-L${bare_metal}>"
    "$<INSTALL_INTERFACE:-L${installed}>"
    "$<BUILD_INTERFACE:-T${CMAKE_CURRENT_SOURCE_DIR}/${name}.ld>"
    "$<INSTALL_INTERFACE:-T${installed}/${name}.ld>"
    "-Wl,--defsym=mote_stack_size=$<IF:$<BOOL:${stack_size}>,${stack_size},${MOTE_STACK_SIZE}>"
    "-Wl,-Map=$<TARGET_PROPERTY:BINARY_DIR>/$<TARGET_PROPERTY:NAME>.map")
  file(GLOB shared_scripts ${bare_metal}/*.ld)
  foreach(script IN LISTS shared_scripts ITEMS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.ld)
    set_property(TARGET mote_${name} APPEND PROPERTY INTERFACE_LINK_DEPENDS $<BUILD_INTERFACE:${script}>)
  endforeach()

  install(FILES ${name}.ld ${shared_scripts} DESTINATION ${scripts})
endfunction()
