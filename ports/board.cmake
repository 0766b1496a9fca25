# mote_board(NAME SOURCE...): library mote::NAME, the board of this folder. What turns an executable that links it
# into an image that boots comes along: the sources that all boards share, NAME.ld, the stack, the map. The
# linker script names the reset code as the entry, which pulls start-up and vector table out of the archive.
set(MOTE_UART_RX_SIZE 256 CACHE STRING "Bytes in the receive ring of the UART; a power of two")

function(mote_board name)
  set(shared ending host memory stack wait)
  list(TRANSFORM shared REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/ports/\\1.cpp")
  mote_library(${name} ${PROJECT_SOURCE_DIR} ${ARGN} ${shared})
  target_link_libraries(mote_${name} PUBLIC mote::core)
  # The vector table, the handlers and memcpy are found by name, which link-time optimisation does not see.
  set_target_properties(mote_${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
  target_compile_definitions(mote_${name} PRIVATE MOTE_UART_RX_SIZE=${MOTE_UART_RX_SIZE})
  # An image has no C++ runtime: what an application would need of it for these does not link.
  target_compile_options(mote_${name} INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>)
  # <board.hpp> is the one of the board that is built for.
  target_include_directories(mote_${name} INTERFACE
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/mote/ports/${name}>)

  set(stack_size "$<TARGET_PROPERTY:MOTE_STACK_SIZE>")
  set(installed $<INSTALL_PREFIX>/include/mote/ports)
  target_link_options(mote_${name} INTERFACE
    -nostartfiles
    -Wl,--gc-sections
    -Wl,--fatal-warnings
    "$<BUILD_INTERFACE:-L${PROJECT_SOURCE_DIR}/ports>"
    "$<INSTALL_INTERFACE:-L${installed}>"
    "$<BUILD_INTERFACE:-T${CMAKE_CURRENT_SOURCE_DIR}/${name}.ld>"
    "$<INSTALL_INTERFACE:-T${installed}/${name}/${name}.ld>"
    "-Wl,--defsym=mote_stack_size=$<IF:$<BOOL:${stack_size}>,${stack_size},${MOTE_STACK_SIZE}>"
    "-Wl,-Map=$<TARGET_PROPERTY:BINARY_DIR>/$<TARGET_PROPERTY:NAME>.map")
  file(GLOB shared_scripts ${PROJECT_SOURCE_DIR}/ports/*.ld)
  foreach(script IN LISTS shared_scripts ITEMS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.ld)
    set_property(TARGET mote_${name} APPEND PROPERTY INTERFACE_LINK_DEPENDS $<BUILD_INTERFACE:${script}>)
  endforeach()

  install(FILES ${name}.ld DESTINATION include/mote/ports/${name})
  install(FILES ${shared_scripts} ${PROJECT_SOURCE_DIR}/ports/firmware.cmake DESTINATION include/mote/ports)
endfunction()
