# SPDX-License-Identifier: Apache-2.0
# Builds examples/own_board with mote in the way WAY, runs it in the emulator, and has the official client talk to it.
#   add_subdirectory   as the example is
#   fetch_content      mote through FetchContent
#   board_dir          mote adds the board, named by MOTE_BOARD_DIR
#   find_package       mote is installed from MOTE_BUILD
cmake_minimum_required(VERSION 3.20)

file(REMOVE_RECURSE ${WORK})
set(source ${WORK}/source/example/own_board)
file(COPY ${MOTE_SOURCE}/examples/own_board DESTINATION ${WORK}/source/example)
# mote is where it is, and its commands are those of the presets: a compiler cache has the results.
set(board ${source}/stm32vldiscovery)
set(root ${MOTE_SOURCE})
set(toolchain ${MOTE_SOURCE}/toolchains/arm-cortex-m3.cmake)
set(options "")

file(READ ${source}/CMakeLists.txt project)
set(subdirectory "add_subdirectory(../.. mote EXCLUDE_FROM_ALL)")
string(FIND "${project}" "${subdirectory}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "examples/own_board/CMakeLists.txt has no ${subdirectory}")
endif()
set(way "add_subdirectory(${MOTE_SOURCE} mote EXCLUDE_FROM_ALL)")
string(APPEND project "
add_executable(own_board_faults ${MOTE_SOURCE}/tests/package/own_board_faults.cpp)
target_link_libraries(own_board_faults PRIVATE mote::stm32vldiscovery)
mote_firmware(own_board_faults)
")
if(WAY STREQUAL fetch_content)
  set(way "include(FetchContent)
FetchContent_Declare(mote SOURCE_DIR ${MOTE_SOURCE})
FetchContent_MakeAvailable(mote)")
elseif(WAY STREQUAL board_dir)
  # Without the folder in the project: only the option names it, and the project gets the name of the board.
  file(RENAME ${board} ${WORK}/stm32vldiscovery)
  set(board ${WORK}/stm32vldiscovery)
  set(options -D MOTE_BOARD_DIR=${board})
  string(REPLACE "mote::transports mote::stm32vldiscovery" "mote::transports mote::\${MOTE_BOARD}" project "${project}")
elseif(WAY STREQUAL find_package)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${MOTE_BUILD} --prefix ${WORK}/prefix OUTPUT_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
  set(options -D CMAKE_PREFIX_PATH=${WORK}/prefix)
  set(root ${WORK}/prefix/lib/mote)
  set(toolchain ${WORK}/prefix/lib/cmake/mote/arm-cortex-m3.cmake)
endif()
string(REPLACE "${subdirectory}" "${way}" project "${project}")
file(WRITE ${source}/CMakeLists.txt "${project}")

# build(SENTENCE OPTION...): configures and builds, and one of the two says SENTENCE.
function(build sentence)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_BUILD_TYPE=MinSizeRel
    -D CMAKE_INTERPROCEDURAL_OPTIMIZATION=ON -D CMAKE_TOOLCHAIN_FILE=${toolchain} -D MOTE_WERROR=ON
    ${PRECOMPILE} ${options} ${ARGN}
    OUTPUT_VARIABLE configured COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build OUTPUT_VARIABLE built ECHO_OUTPUT_VARIABLE
    COMMAND_ERROR_IS_FATAL ANY)
  if(NOT "${configured}${built}" MATCHES "${sentence}")
    message(FATAL_ERROR "neither configuring nor building says: ${sentence}\n${configured}${built}")
  endif()
endfunction()

# The stack of each image is checked, if Node.js is there.
set(unchecked "no Node.js, so the stack of images is not checked")
if(NOT NODE)
  build(${unchecked})
  message("skipped: Node.js is not installed; tests/run installs it")
  return()
endif()
build("own_board: 1[0-9][0-9][0-9] of 2048 bytes of stack")
if(WAY STREQUAL find_package)
  build("warning: own_board: the image needs 1[0-9][0-9][0-9] bytes of stack, and MOTE_STACK_SIZE is 1024"
    -D MOTE_STACK_SIZE=1024)
  build(${unchecked} -D MOTE_STACK_SIZE=2048 -D MOTE_STACK_NODE=OFF)
endif()
execute_process(COMMAND ${NODE} ${MOTE_SOURCE}/tests/client/own_board.test.mjs board ${root}/toolchains/emulate
  ${board} ${WORK}/build/own_board.elf ${WORK}/build/own_board_faults.elf RESULT_VARIABLE result)
if(result EQUAL 77)
  message("skipped: the official client is not installed; tests/run installs it")
elseif(NOT result EQUAL 0)
  message(FATAL_ERROR "the client ends with ${result}")
endif()
