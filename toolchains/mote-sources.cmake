# SPDX-License-Identifier: Apache-2.0
# Where the sources of lwIP and mbedTLS are: in the folder of -DLWIP_DIR= and -DMBEDTLS_DIR= (such as a copy in a
# vendor's SDK), else where toolchains/fetch-sources puts them, else (-DMOTE_FETCH_SOURCES=ON, online) downloaded from
# upstream, or from the URL of an archive of one's own, and only if it has the checksum.
set(LWIP_DIR ${PROJECT_SOURCE_DIR}/build/sources/lwip CACHE PATH "lwIP 2.2, the folder that holds src/")
set(MBEDTLS_DIR ${PROJECT_SOURCE_DIR}/build/sources/mbedtls CACHE PATH "mbedTLS 3.6 or 4, the folder that holds library/")
option(MOTE_FETCH_SOURCES "Download lwIP and mbedTLS from upstream when they are not there" OFF)
set(MOTE_LWIP_URL https://download.savannah.nongnu.org/releases/lwip/lwip-2.2.1.zip CACHE STRING
  "With MOTE_FETCH_SOURCES: the archive of lwIP")
set(MOTE_LWIP_SHA256 7b622662dba2383d71f874f2e494b54ae948531559c17acbe75797966d646878 CACHE STRING "Its checksum")
set(MOTE_MBEDTLS_URL
  https://github.com/Mbed-TLS/mbedtls/releases/download/mbedtls-3.6.6/mbedtls-3.6.6.tar.bz2 CACHE STRING
  "With MOTE_FETCH_SOURCES: the archive of mbedTLS")
set(MOTE_MBEDTLS_SHA256 8fb65fae8dcae5840f793c0a334860a411f884cc537ea290ce1c52bb64ca007a CACHE STRING "Its checksum")
mark_as_advanced(MOTE_LWIP_URL MOTE_LWIP_SHA256 MOTE_MBEDTLS_URL MOTE_MBEDTLS_SHA256)

# Unpacked files get the time of unpacking.
if(POLICY CMP0135)
  cmake_policy(SET CMP0135 NEW)
endif()

# mote_source(NAME FILE): ${NAME}_DIR is the folder that contains FILE, or empty if there is none.
function(mote_source name file)
  set(folder ${${name}_DIR})
  if(NOT EXISTS ${folder}/${file} AND MOTE_FETCH_SOURCES)
    include(FetchContent)
    string(TOLOWER mote_${name} content)
    # A folder without its own CMakeLists.txt: only the sources are needed.
    FetchContent_Declare(${content} URL ${MOTE_${name}_URL} URL_HASH SHA256=${MOTE_${name}_SHA256} SOURCE_SUBDIR none)
    FetchContent_MakeAvailable(${content})
    set(folder ${${content}_SOURCE_DIR})
    if(NOT EXISTS ${folder}/${file})
      message(FATAL_ERROR "the sources that were fetched for ${name} have no ${file}: ${folder}")
    endif()
  endif()
  if(NOT EXISTS ${folder}/${file})
    set(folder "")
  endif()
  set(${name}_DIR "${folder}" PARENT_SCOPE)
endfunction()

mote_source(LWIP src/core/tcp.c)
mote_source(MBEDTLS library/ssl_tls.c)
