# SPDX-License-Identifier: Apache-2.0
# An installation has the mcp/detail/checks.hpp of its build, also over another installation, and if all files of mote have
# one time, as in a release. It has the headers of mbedTLS only with the library. Installs the headers alone, so nothing
# is compiled.
file(REMOVE_RECURSE ${WORK})
file(COPY ${MOTE_SOURCE}/CMakeLists.txt ${MOTE_SOURCE}/LICENSE ${MOTE_SOURCE}/core ${MOTE_SOURCE}/transports ${MOTE_SOURCE}/ports
  ${MOTE_SOURCE}/toolchains DESTINATION ${WORK}/source PATTERN node_modules EXCLUDE)
file(TOUCH ${WORK}/source/core/include/mcp/detail/checks.hpp ${WORK}/source/ports/checks/mcp/detail/checks.hpp)

foreach(build Debug:true MinSizeRel:false Debug:true)
  string(REGEX MATCH "^(.*):(.*)$" match ${build})
  set(type ${CMAKE_MATCH_1})
  set(expected ${CMAKE_MATCH_2})
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/source -B ${WORK}/${type} -G ${GENERATOR}
    -D CMAKE_BUILD_TYPE=${type} -D CMAKE_CXX_COMPILER=${COMPILER} -D MOTE_TESTS=OFF -D MOTE_EXAMPLES=OFF
    -D LWIP_DIR=${WORK}/none -D MBEDTLS_DIR=${WORK}/none OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${WORK}/${type} --component headers --prefix ${WORK}/prefix
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${WORK}/prefix/include/mote/mcp/detail/checks.hpp header)
  if(NOT header MATCHES "has_checks = ${expected};")
    message(FATAL_ERROR "the installation of a ${type} build has this mcp/detail/checks.hpp:\n${header}")
  endif()
  if(NOT EXISTS ${WORK}/prefix/include/mote/mcp/server.hpp)
    message(FATAL_ERROR "the component \"headers\" has no mcp/server.hpp")
  endif()

  # Without its sources, there is no TLS: mbedTLS of the system is for HMAC.
  file(GLOB found RELATIVE ${WORK}/prefix/include/mote/mcp/ports ${WORK}/prefix/include/mote/mcp/ports/mbedtls_*)
  file(STRINGS ${WORK}/${type}/CMakeCache.txt system REGEX "^MBEDTLS_CRYPTO:[A-Z]+=.*[^D]$")
  set(expected "")
  if(system)
    set(expected mbedtls_hmac.hpp)
  endif()
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "without the sources of mbedTLS an installation has ${found}, not ${expected}")
  endif()
endforeach()
