# SPDX-License-Identifier: Apache-2.0
# The installation of a project that adds mote with FetchContent has nothing of mote, with MOTE_INSTALL=ON also mote,
# and an installation of mote with MOTE_INSTALL=OFF has nothing. CMAKE_INSTALL_INCLUDEDIR is the folder of all headers.
# A build without a preset has no -Werror, which would stop a packager whose compiler has another warning. Installs
# headers alone, so nothing is compiled.
file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/source/CMakeLists.txt "cmake_minimum_required(VERSION 3.21)
project(user LANGUAGES CXX)
include(FetchContent)
FetchContent_Declare(mote SOURCE_DIR ${MOTE_SOURCE})
FetchContent_MakeAvailable(mote)
install(FILES CMakeLists.txt DESTINATION share COMPONENT headers)
")

# expect(NAME SOURCE FILES OPTION...): an installation of SOURCE has exactly FILES. If one of them is mcp/server.hpp,
# this installs the headers alone, and looks for share/CMakeLists.txt, mcp/server.hpp and LICENSE only.
function(expect name source files)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${WORK}/${name} -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D MOTE_TESTS=OFF -D MOTE_EXAMPLES=OFF ${ARGN}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  # All components: without built libraries only an installation without mote succeeds.
  set(component "")
  if(files MATCHES "server.hpp")
    set(component --component headers)
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${WORK}/${name} --prefix ${WORK}/${name}/prefix ${component}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE found RELATIVE ${WORK}/${name}/prefix ${WORK}/${name}/prefix/*)
  if(component)
    list(FILTER found INCLUDE REGEX "^(share/CMakeLists.txt|share/licenses/mote/LICENSE|include/mote/mcp/server.hpp)$")
  endif()
  if(NOT found STREQUAL files)
    message(FATAL_ERROR "${name}: the installation has \"${found}\", not \"${files}\"")
  endif()
endfunction()
expect(without ${WORK}/source "share/CMakeLists.txt")
expect(with ${WORK}/source
  "include/mote/mcp/server.hpp;share/CMakeLists.txt;share/licenses/mote/LICENSE" -D MOTE_INSTALL=ON)
expect(mote_alone ${MOTE_SOURCE} "" -D MOTE_INSTALL=OFF)

file(READ ${WORK}/mote_alone/build.ninja commands)
if(NOT commands MATCHES "-Wconversion" OR commands MATCHES "-Werror")
  message(FATAL_ERROR "without a preset, the compiler gets -Werror")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -S ${MOTE_SOURCE} -B ${WORK}/mote_alone -D MOTE_INSTALL=ON
  -D CMAKE_INSTALL_INCLUDEDIR=headers OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${WORK}/mote_alone --prefix ${WORK}/other --component headers
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${WORK}/other/headers/mote/mcp/detail/checks.hpp OR EXISTS ${WORK}/other/include)
  message(FATAL_ERROR "CMAKE_INSTALL_INCLUDEDIR=headers: not all headers are there, or some are in include")
endif()
