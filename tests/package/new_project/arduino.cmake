# SPDX-License-Identifier: Apache-2.0
# The sketch with the library as arduino-pack makes it. All files of the sketch are compiled as Arduino compiles them:
# with one include path of the library.
generate(${program} ${WORK}/clone --arduino)
if(NOT NODE)
  message("skipped: Node.js is not installed; tests/run installs it")
  return()
endif()
run(${NODE} ${MOTE_SOURCE}/toolchains/arduino-pack ${WORK}/mote.zip)
file(ARCHIVE_EXTRACT INPUT ${WORK}/mote.zip DESTINATION ${WORK}/libraries)
file(GLOB sources RELATIVE ${project} ${project}/*.ino ${project}/*.cpp)
list(SORT sources)
if(NOT sources STREQUAL "device.cpp;${name}.ino;server.cpp")
  message(FATAL_ERROR "the sketch has ${sources}")
endif()
foreach(source IN LISTS sources)
  run(${COMPILER} -std=gnu++20 -fno-exceptions -fno-rtti -fsyntax-only -Wall -Wextra -Werror
    -DARDUINO=10819 -DARDUINO_ARCH_RP2040 -I${WORK}/libraries/mote/src
    -isystem ${tests}/sdk/arduino/hardware/mote/rp2040/cores/arduino -include Arduino.h -x c++ ${project}/${source})
endforeach()
message("package.new_project: --arduino: compiled against a fake core, without arduino-cli")
