# Where the sources of lwIP and mbedTLS are: in the folder of -DLWIP_DIR= and -DMBEDTLS_DIR= (such as a copy in a
# vendor's SDK), else where toolchains/fetch-sources puts them, else (-DMOTE_FETCH_SOURCES=ON, online) downloaded from
# upstream.
set(LWIP_DIR ${PROJECT_SOURCE_DIR}/build/sources/lwip CACHE PATH "lwIP 2.2, the folder that holds src/")
set(MBEDTLS_DIR ${PROJECT_SOURCE_DIR}/build/sources/mbedtls CACHE PATH "mbedTLS 3.6, the folder that holds library/")
option(MOTE_FETCH_SOURCES "Download lwIP and mbedTLS from upstream when they are not there" OFF)

# mote_source(VARIABLE FILE URL SHA256): VARIABLE is the folder with FILE in it, or empty when there is none.
function(mote_source variable file url sha256)
  set(folder ${${variable}})
  if(NOT EXISTS ${folder}/${file} AND MOTE_FETCH_SOURCES)
    include(FetchContent)
    string(TOLOWER ${variable} name)
    # A folder that has no CMakeLists.txt of its own: the sources alone are wanted.
    FetchContent_Declare(${name} URL ${url} URL_HASH SHA256=${sha256} SOURCE_SUBDIR none)
    FetchContent_MakeAvailable(${name})
    set(folder ${${name}_SOURCE_DIR})
  endif()
  if(NOT EXISTS ${folder}/${file})
    set(folder "")
  endif()
  set(${variable} "${folder}" PARENT_SCOPE)
endfunction()

mote_source(LWIP_DIR src/core/altcp_tcp.c
  https://download.savannah.nongnu.org/releases/lwip/lwip-2.2.1.zip
  7b622662dba2383d71f874f2e494b54ae948531559c17acbe75797966d646878)
mote_source(MBEDTLS_DIR library/ssl_tls.c
  https://github.com/Mbed-TLS/mbedtls/releases/download/mbedtls-3.6.6/mbedtls-3.6.6.tar.bz2
  8fb65fae8dcae5840f793c0a334860a411f884cc537ea290ce1c52bb64ca007a)
