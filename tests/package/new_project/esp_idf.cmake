# SPDX-License-Identifier: Apache-2.0
# The main component, for a chip with USB, for one without, and for Linux.
file(CREATE_LINK ${MOTE_SOURCE} ${WORK}/mote SYMBOLIC)
generate(${program} ${WORK}/clone --esp-idf --mote ../../mote)
set(ENV{IDF_PATH} ${fakes}/idf)
foreach(chip esp32c3 esp32 linux)
  run(${CMAKE_COMMAND} -S ${project} -B ${project}/build/${chip} -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CHIP=${chip} -D TESTS=${tests})
  run(${CMAKE_COMMAND} --build ${project}/build/${chip} --target main)
endforeach()
# As ports/sdk/esp_idf/README.md explains them.
file(READ ${project}/sdkconfig.defaults settings)
foreach(setting CONFIG_ESP_CONSOLE_SECONDARY_NONE=y CONFIG_ESP_MAIN_TASK_STACK_SIZE=8192 CONFIG_IDF_TARGET=)
  contains("${settings}" "${setting}" sdkconfig.defaults)
endforeach()
message("package.new_project: --esp-idf: compiled against a fake of the build system and stubs of the headers")
