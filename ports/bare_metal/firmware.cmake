# SPDX-License-Identifier: Apache-2.0
# mote_firmware(TARGET): makes an image. TARGET.elf contains the symbols for a debugger and for toolchains/emulate.
# TARGET.bin and TARGET.hex are for flash tools. The build prints the size of each section, the pages of tools/list
# (toolchains/tool-pages.cmake) and, if Node.js is there, the deepest stack that the image can need. It warns if MOTE_STACK_SIZE is smaller (toolchains/stack-bound). The variable
# MOTE_STACK_CALLS is a list of files that describe calls of the application.
if(CMAKE_SYSTEM_NAME STREQUAL Generic)
  string(REGEX REPLACE "objcopy" "size" size "${CMAKE_OBJCOPY}")
  find_program(MOTE_SIZE NAMES ${size} REQUIRED)
  option(MOTE_STACK_CHECK "Compute the stack of each image after linking" ON)
  find_program(MOTE_STACK_NODE NAMES node)
  if(MOTE_STACK_CHECK AND NOT MOTE_STACK_NODE)
    message(STATUS "no Node.js, so the stack of images is not checked (toolchains/stack-bound)")
  endif()
endif()

function(mote_firmware target)
  set_target_properties(${target} PROPERTIES SUFFIX .elf)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^rv")
    # Which words are addresses, for toolchains/stack-bound, where code begins near 0 and numbers look like addresses.
    # Nothing of it is in the flash.
    target_link_options(${target} PRIVATE -Wl,--emit-relocs)
  endif()
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_OBJCOPY} -O binary $<TARGET_FILE:${target}> ${target}.bin
    COMMAND ${CMAKE_OBJCOPY} -O ihex $<TARGET_FILE:${target}> ${target}.hex
    COMMAND ${MOTE_SIZE} $<TARGET_FILE:${target}>
    COMMAND ${CMAKE_COMMAND} -D NM=${CMAKE_NM} -D IMAGE=$<TARGET_FILE:${target}>
      -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../toolchains/tool-pages.cmake
    BYPRODUCTS ${target}.bin ${target}.hex
    VERBATIM)
  if(MOTE_STACK_CHECK AND MOTE_STACK_NODE)
    string(REGEX REPLACE "objcopy(\\.exe)?$" "" binutils "${CMAKE_OBJCOPY}")
    set(calls ${MOTE_STACK_CALLS})
    list(TRANSFORM calls PREPEND "--calls;")
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${MOTE_STACK_NODE} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../toolchains/stack-bound --warn
        --binutils ${binutils} ${calls} $<TARGET_FILE:${target}>
      VERBATIM)
  endif()
endfunction()
