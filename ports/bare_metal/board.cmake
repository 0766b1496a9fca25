# SPDX-License-Identifier: Apache-2.0
# mote_board(NAME SOURCE...): library mote::NAME, the board of this folder. An executable that links it becomes an image
# that boots. The library adds the sources that all boards share, NAME.ld, the stack and the map. The linker script
# names the reset code as the entry, so the linker takes start-up and vector table from the archive. The folder may be
# in the project of a user: this file finds its own folders, in the tree of mote and in an installation.
if(CMAKE_SYSTEM_NAME STREQUAL Generic)
  set(MOTE_UART_RX_SIZE 256 CACHE STRING "Bytes in the receive ring of the UART; a power of two")
endif()

function(mote_board name)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT CMAKE_SYSTEM_NAME STREQUAL Generic)
    message(FATAL_ERROR "mote_board(${name}) needs the toolchain file of its processor, such as arm-cortex-m3.cmake, "
      "in a new build folder (-DCMAKE_TOOLCHAIN_FILE=)")
  endif()
  if(NOT EXISTS ${folder}/${name}.ld)
    message(FATAL_ERROR "mote_board(${name}): ${folder} has no ${name}.ld, the linker script of the board "
      "(ports/README.md says what it contains)")
  endif()
  set(bare_metal ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  cmake_path(GET bare_metal PARENT_PATH root)
  cmake_path(GET root PARENT_PATH root)
  set(shared boot_id ending fault_report memory semihosting stack wait watchdog)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^cortex-m")
    list(APPEND shared cortex_m_fault)
  endif()
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL cortex-m0)
    list(APPEND shared cortex_m0_lock)
  endif()
  list(TRANSFORM shared REPLACE "(.+)" "${bare_metal}/\\1.cpp")
  mote_library(${name} ${folder} ${ARGN} ${shared})
  if(EXISTS ${bare_metal}/include)  # an installation has these headers beside those of the core
    target_include_directories(mote_${name} PUBLIC $<BUILD_INTERFACE:${bare_metal}/include>)
  endif()
  target_include_directories(mote_${name} PRIVATE ${root})
  target_link_libraries(mote_${name} PUBLIC mote::core mote::ports mote::no_exit mote::no_throw)
  # The vector table, the handlers and memcpy are found by name, which link-time optimisation does not see.
  set_target_properties(mote_${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
  target_compile_definitions(mote_${name} PRIVATE MOTE_UART_RX_SIZE=${MOTE_UART_RX_SIZE})
  # An image has no C++ runtime. Code that needs it does not link.
  target_compile_options(mote_${name} INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>)

  if(NOT DEFINED MOTE_STACK_SIZE)
    set(MOTE_STACK_SIZE 4096 CACHE STRING "Bytes of stack in an image; the target property MOTE_STACK_SIZE overrides it")
  endif()
  set(stack_size "$<TARGET_PROPERTY:MOTE_STACK_SIZE>")
  set(installed $<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/mote/ports)
  target_link_options(mote_${name} INTERFACE
    -nostartfiles
    -Wl,--gc-sections
    -Wl,--fatal-warnings
    "$<BUILD_INTERFACE:-L${bare_metal}>"
    "$<INSTALL_INTERFACE:-L${installed}/bare_metal>"
    "$<BUILD_INTERFACE:-T${folder}/${name}.ld>"
    "$<INSTALL_INTERFACE:-T${installed}/boards/${name}/${name}.ld>"
    "-Wl,--defsym=mote_stack_size=$<IF:$<BOOL:${stack_size}>,${stack_size},${MOTE_STACK_SIZE}>"
    "-Wl,-Map=$<TARGET_PROPERTY:BINARY_DIR>/$<TARGET_PROPERTY:NAME>.map")
  file(GLOB shared_scripts ${bare_metal}/*.ld)
  foreach(script IN LISTS shared_scripts ITEMS ${folder}/${name}.ld)
    set_property(TARGET mote_${name} APPEND PROPERTY INTERFACE_LINK_DEPENDS $<BUILD_INTERFACE:${script}>)
  endforeach()
  # For MOTE_BOARD_DIR, which names a folder and no board.
  set_property(GLOBAL PROPERTY MOTE_LAST_BOARD ${name})
endfunction()
