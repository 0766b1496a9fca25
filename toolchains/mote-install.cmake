# SPDX-License-Identifier: Apache-2.0
# `cmake --install` puts headers, libraries and the package files where find_package(mote) finds them. An installation
# is for the target of this build: the host, one board, or, without MOTE_BOARD, the boards of users with this processor.
include(CMakePackageConfigHelpers)

if(MOTE_BOARD_DIR)
  set(board_folder ${MOTE_BOARD_DIR})
elseif(MOTE_BOARD)
  set(board_folder ${PROJECT_SOURCE_DIR}/ports/boards/${MOTE_BOARD})
endif()
if(CMAKE_SYSTEM_NAME STREQUAL Generic)
  set(port ports/bare_metal)
else()
  set(port ports/posix ports/sockets)
endif()

get_property(libraries GLOBAL PROPERTY MOTE_LIBRARIES)
install(TARGETS ${libraries} EXPORT mote ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
set(folders core transports ports ports/devices ports/flash ports/workbench ${port})
# A header is installed only with its library.
if(MOTE_TLS)
  list(APPEND folders ports/mbedtls)
  # The headers of the compiled sources. Those of the system may differ.
  foreach(folder IN LISTS MOTE_MBEDTLS_INCLUDES)
    install(DIRECTORY ${folder}/ DESTINATION ${MOTE_INCLUDE}/third_party COMPONENT headers FILES_MATCHING PATTERN "*.h")
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/ports/mbedtls/config/tls_config.h
    ${PROJECT_SOURCE_DIR}/ports/mbedtls/config/tls_crypto_config.h
    DESTINATION ${MOTE_INCLUDE}/third_party COMPONENT headers)
elseif(TARGET mote_mbedtls)
  install(FILES ${PROJECT_SOURCE_DIR}/ports/mbedtls/include/mcp/ports/mbedtls_hmac.hpp
    DESTINATION ${MOTE_INCLUDE}/mcp/ports COMPONENT headers)
endif()
foreach(folder IN LISTS folders)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/include/ DESTINATION ${MOTE_INCLUDE} COMPONENT headers
    REGEX "/mcp/detail/(checks|contract)\\.hpp$" EXCLUDE)
endforeach()
# The two headers of core, or what replaces them in this build. An application with the other checks.hpp would have
# tables of another layout than the library. CMake does not install over a file with the same time in seconds, as two
# files of a release or a clone have, so what an earlier installation left is removed.
get_property(replacements GLOBAL PROPERTY MOTE_REPLACEMENTS)
set(include ${MOTE_INCLUDE})
if(NOT IS_ABSOLUTE "${include}")
  set(include "\${CMAKE_INSTALL_PREFIX}/${MOTE_INCLUDE}")
endif()
foreach(header checks contract)
  set(path mcp/detail/${header}.hpp)
  set(file ${PROJECT_SOURCE_DIR}/core/include/${path})
  foreach(folder IN LISTS replacements)
    if(EXISTS ${PROJECT_SOURCE_DIR}/${folder}/${path})
      set(file ${PROJECT_SOURCE_DIR}/${folder}/${path})
    endif()
  endforeach()
  install(CODE "file(REMOVE \"\$ENV{DESTDIR}${include}/${path}\")" COMPONENT headers)
  install(FILES ${file} DESTINATION ${MOTE_INCLUDE}/mcp/detail COMPONENT headers)
endforeach()
if(EXISTS "${board_folder}/include")  # a board may have no header of its own
  install(DIRECTORY ${board_folder}/include/ DESTINATION ${MOTE_INCLUDE})
endif()

# The license of mote, and that of mbedTLS, whose code mote::mbedtls contains.
set(licenses ${CMAKE_INSTALL_DATADIR}/licenses/mote)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${licenses} COMPONENT headers)
if(MOTE_TLS)
  install(FILES ${MOTE_MBEDTLS_SOURCES}/LICENSE DESTINATION ${licenses} RENAME LICENSE.mbedtls COMPONENT headers OPTIONAL)
endif()

# lib/mote repeats the tree: new-project, and for a board mote_board() and mote_firmware(), with the sources, linker
# scripts and programs that they need. The toolchain file is beside the package files.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/mote)
list(TRANSFORM libraries REPLACE "^mote_" "" OUTPUT_VARIABLE components)
set(config [[
# find_package(mote COMPONENTS NAME...): each NAME is a library, mote::NAME.
set(mote_MISSING "")
foreach(mote_component IN LISTS mote_FIND_COMPONENTS)
  if(mote_component IN_LIST mote_COMPONENTS)
    set(mote_${mote_component}_FOUND TRUE)
  elseif(mote_FIND_REQUIRED_${mote_component})
    list(APPEND mote_MISSING mote::${mote_component})
  endif()
endforeach()
if(mote_MISSING)
  set(mote_FOUND FALSE)
  set(mote_NOT_FOUND_MESSAGE "This installation has no ${mote_MISSING}, only: ${mote_COMPONENTS}")
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/mote-targets.cmake)
]])
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/mote-config.cmake "set(mote_COMPONENTS ${components})\n${config}")
set(tree ${CMAKE_INSTALL_LIBDIR}/mote)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/toolchains/new-project DESTINATION ${tree}/toolchains)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/toolchains/new-project.d DESTINATION ${tree}/toolchains)
if(CMAKE_SYSTEM_NAME STREQUAL Generic)
  set(toolchain_files ${CMAKE_TOOLCHAIN_FILE})
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^cortex-m")
    list(APPEND toolchain_files ${PROJECT_SOURCE_DIR}/toolchains/arm-cortex-m.cmake)
  endif()
  install(FILES ${toolchain_files} DESTINATION ${package_folder})
  install(FILES ${PROJECT_SOURCE_DIR}/toolchains/mote-target.cmake ${PROJECT_SOURCE_DIR}/toolchains/stack-calls
    ${PROJECT_SOURCE_DIR}/toolchains/tool-pages.cmake
    DESTINATION ${tree}/toolchains)
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/toolchains/emulate ${PROJECT_SOURCE_DIR}/toolchains/stack-bound
    DESTINATION ${tree}/toolchains)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/ports/bare_metal DESTINATION ${tree}/ports PATTERN include EXCLUDE)
  if(board_folder)
    install(DIRECTORY ${board_folder}/ DESTINATION ${tree}/ports/boards/${MOTE_BOARD}
      FILES_MATCHING PATTERN *.ld PATTERN *.emulator)
  endif()
  file(APPEND ${CMAKE_CURRENT_BINARY_DIR}/mote-config.cmake [[
include(${CMAKE_CURRENT_LIST_DIR}/../../mote/toolchains/mote-target.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../mote/ports/bare_metal/board.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../mote/ports/bare_metal/firmware.cmake)
]])
endif()
install(EXPORT mote NAMESPACE mote:: FILE mote-targets.cmake DESTINATION ${package_folder})
write_basic_package_version_file(mote-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mote-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/mote-config-version.cmake
  DESTINATION ${package_folder})

# For builds without CMake: the transports and the port, for this machine.
if(TARGET mote_posix)
  file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" up ${up})
  set(prefix "\${pcfiledir}/${up}")
  foreach(name INCLUDEDIR LIBDIR)
    set(folder_${name} "\${prefix}/${CMAKE_INSTALL_${name}}")
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${name}}")
      set(folder_${name} ${CMAKE_INSTALL_${name}})
      set(prefix ${CMAKE_INSTALL_PREFIX})
    endif()
  endforeach()
  get_target_property(options mote_posix INTERFACE_LINK_OPTIONS)
  list(JOIN options " " options)
  string(STRIP "-lmote_core ${CMAKE_THREAD_LIBS_INIT}" last)
  file(CONFIGURE OUTPUT mote.pc @ONLY CONTENT [[
prefix=@prefix@
includedir=@folder_INCLUDEDIR@
libdir=@folder_LIBDIR@

Name: mote
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Cflags: -I${includedir}/mote
Libs: -L${libdir} @options@ -lmote_posix -lmote_sockets -lmote_stdio -lmote_http -lmote_mqtt @last@
]])
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mote.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
