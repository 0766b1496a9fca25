# SPDX-License-Identifier: Apache-2.0
# mote_firmware(TARGET): makes an image. TARGET.elf contains the symbols for a debugger and for toolchains/emulate.
# TARGET.bin and TARGET.hex are for flash tools. The build prints the size of each section.
if(CMAKE_SYSTEM_NAME STREQUAL Generic)
  string(REGEX REPLACE "objcopy" "size" size "${CMAKE_OBJCOPY}")
  find_program(MOTE_SIZE NAMES ${size} REQUIRED)
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
    BYPRODUCTS ${target}.bin ${target}.hex
    VERBATIM)
endfunction()
