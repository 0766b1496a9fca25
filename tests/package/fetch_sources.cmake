# SPDX-License-Identifier: Apache-2.0
# Tests MOTE_FETCH_SOURCES, which takes lwIP and mbedTLS from archives. There is no network here: the test makes the
# archives from the present sources, and a URL may be a file. It builds lwIP from the unpacked archive. A wrong archive
# or folder is an error that says so.
cmake_minimum_required(VERSION 3.20)

foreach(name lwip mbedtls)
  if(NOT EXISTS ${SOURCES}/${name})
    message("skipped: there are no sources of ${name} to make an archive of; toolchains/fetch-sources obtains them")
    return()
  endif()
endforeach()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/archives)

# pack(NAME FOLDER...): an archive as upstream's, in whose one folder these folders are. NAME_sha256 is its checksum.
function(pack name)
  set(top ${WORK}/pack/${name}-1.0)
  file(MAKE_DIRECTORY ${top})
  foreach(folder IN LISTS ARGN)
    file(COPY ${SOURCES}/${name}/${folder} DESTINATION ${top})
  endforeach()
  execute_process(COMMAND ${CMAKE_COMMAND} -E tar cf ${WORK}/archives/${name}.tar ${name}-1.0
    WORKING_DIRECTORY ${WORK}/pack COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 ${WORK}/archives/${name}.tar sum)
  set(${name}_sha256 ${sum} PARENT_SCOPE)
endfunction()

# configure(FOLDER OPTION...): sets result and output.
function(configure folder)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${MOTE_SOURCE} -B ${WORK}/${folder} -G ${GENERATOR}
    -D CMAKE_C_COMPILER=${C_COMPILER} -D CMAKE_CXX_COMPILER=${COMPILER} -D MOTE_EXAMPLES=OFF -D MOTE_TESTS=ON
    -D MOTE_FETCH_SOURCES=ON -D LWIP_DIR=${WORK}/none -D MBEDTLS_DIR=${WORK}/none
    -D MOTE_LWIP_URL=file://${WORK}/archives/lwip.tar -D MOTE_LWIP_SHA256=${lwip_sha256}
    -D MOTE_MBEDTLS_URL=file://${WORK}/archives/mbedtls.tar -D MOTE_MBEDTLS_SHA256=${mbedtls_sha256} ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(result ${result} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(configure_fails folder expected)
  configure(${folder} ${ARGN})
  if(result EQUAL 0 OR NOT output MATCHES "${expected}")
    message(FATAL_ERROR "configuring should end with `${expected}`:\n${output}")
  endif()
endfunction()

pack(lwip src)
pack(mbedtls library include 3rdparty)

configure(good)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "configuring ends with ${result}:\n${output}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/good --target mote_lwip
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "building ends with ${result}:\n${output}")
endif()

string(REPEAT 0 64 other)
configure_fails(other "HASH mismatch|does not match expected value" -D MOTE_LWIP_SHA256=${other})
configure_fails(nothing "the sources that were fetched for LWIP have no src/core/tcp.c"
  -D MOTE_LWIP_URL=file://${WORK}/archives/mbedtls.tar -D MOTE_LWIP_SHA256=${mbedtls_sha256})

# A folder of one's own, as CMake has it for every content.
configure(folder -D FETCHCONTENT_SOURCE_DIR_MOTE_LWIP=${SOURCES}/lwip
  -D FETCHCONTENT_SOURCE_DIR_MOTE_MBEDTLS=${SOURCES}/mbedtls -D MOTE_LWIP_URL=none:/ -D MOTE_MBEDTLS_URL=none:/)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "configuring with folders ends with ${result}:\n${output}")
endif()
