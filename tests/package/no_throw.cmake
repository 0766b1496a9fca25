# SPDX-License-Identifier: Apache-2.0
# Links sdk_image.cpp as an SDK does: with nosys.specs, the unwind tables in the image, and libstdc++ or its stand-in.
# Without mote::no_throw (LIBRARY) the image contains malloc and the unwinder, and with it neither.
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/no_runtime.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
file(READ ${MOTE_SOURCE}/examples/makefile/memory.ld script)
string(REGEX REPLACE "/DISCARD/ : [^\n]*" 
  ".ARM.exidx : { __exidx_start = .; *(.ARM.exidx* .ARM.extab*) __exidx_end = .; } > flash" script "${script}")
file(WRITE ${WORK}/sdk.ld "${script}")

set(processor -mcpu=cortex-m3 -mthumb)
foreach(name sdk_image cxx_library)
  execute_process(COMMAND ${COMPILER} ${processor} -std=c++20 -Os -fno-exceptions -fno-rtti -ffunction-sections
    -fdata-sections -c ${CMAKE_CURRENT_LIST_DIR}/${name}.cpp -o ${WORK}/${name}.o COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND ${AR} rc ${WORK}/libcxx_library.a ${WORK}/cxx_library.o COMMAND_ERROR_IS_FATAL ANY)
# The real library, if the toolchain has it.
execute_process(COMMAND ${COMPILER} ${processor} -print-file-name=libstdc++.a OUTPUT_VARIABLE cxx_library
  OUTPUT_STRIP_TRAILING_WHITESPACE)
set(libraries "${WORK}/libcxx_library.a")
if(IS_ABSOLUTE "${cxx_library}")
  list(APPEND libraries real)
endif()

# link(NAME LIBRARY OBJECT...): sets found.
function(link name library)
  if(library STREQUAL real)
    set(command ${COMPILER})
    set(library "")
  else()
    set(command ${C_COMPILER})
  endif()
  execute_process(COMMAND ${command} ${processor} -nostartfiles -T ${WORK}/sdk.ld -Wl,--gc-sections
    -Wl,--defsym=end=bss_end --specs=nosys.specs
    ${WORK}/sdk_image.o ${ARGN} ${library} -o ${WORK}/${name}.elf
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "linking ${name} ends with ${result}:\n${output}")
  endif()
  runtime_in(${WORK}/${name}.elf found)
  set(found "${found}" PARENT_SCOPE)
endfunction()

foreach(library IN LISTS libraries)
  link(without ${library})
  foreach(name malloc _Unwind_RaiseException)
    if(NOT found MATCHES " ${name}(;|$)")
      message(FATAL_ERROR "without mote::no_throw the image should contain ${name}; it contains ${found}")
    endif()
  endforeach()
  link(with ${library} ${LIBRARY})
  if(found)
    message(FATAL_ERROR "with mote::no_throw the image contains ${found}")
  endif()
endforeach()
