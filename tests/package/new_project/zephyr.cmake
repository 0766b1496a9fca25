# SPDX-License-Identifier: Apache-2.0
generate(${program} ${WORK}/clone --zephyr)
set(ENV{ZEPHYR_BASE} ${fakes}/zephyr)
foreach(uart polled interrupts)
  run(${CMAKE_COMMAND} -S ${project} -B ${project}/build/${uart} -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER}
    -D UART=${uart} -D TESTS=${tests})
  run(${CMAKE_COMMAND} --build ${project}/build/${uart} --target app)
endforeach()
file(READ ${project}/boards/native_sim.overlay overlay)
contains("${overlay}" "mote,uart = &uart1;" native_sim.overlay)
message("package.new_project: --zephyr: compiled against a fake of the build system and stubs of the headers")
