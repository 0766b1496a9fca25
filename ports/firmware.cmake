# mote_firmware(TARGET): what an image gets besides linking. TARGET.elf carries the symbols for a debugger and for
# toolchains/emulate; TARGET.bin and TARGET.hex are what flash tools take; the build prints the size of each section.
string(REGEX REPLACE "objcopy" "size" size "${CMAKE_OBJCOPY}")
find_program(MOTE_SIZE NAMES ${size} REQUIRED)

function(mote_firmware target)
  set_target_properties(${target} PROPERTIES SUFFIX .elf)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_OBJCOPY} -O binary $<TARGET_FILE:${target}> ${target}.bin
    COMMAND ${CMAKE_OBJCOPY} -O ihex $<TARGET_FILE:${target}> ${target}.hex
    COMMAND ${MOTE_SIZE} $<TARGET_FILE:${target}>
    BYPRODUCTS ${target}.bin ${target}.hex
    VERBATIM)
endfunction()
