# SPDX-License-Identifier: Apache-2.0
# `cmake --install` puts headers, libraries and the package files where find_package(mote) finds them. An installation
# is for the target of this build: the host, or one board.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(MOTE_BOARD)
  set(port bare_metal boards/${MOTE_BOARD})
else()
  set(port posix)
endif()

get_property(libraries GLOBAL PROPERTY MOTE_LIBRARIES)
install(TARGETS ${libraries} EXPORT mote ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
list(TRANSFORM port PREPEND ports/)
foreach(folder core transports ports ports/mbedtls ${port})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/include/ DESTINATION include/mote)
endforeach()

# A board brings mote_firmware(), which makes an image from an executable. Its file and the toolchain file are beside
# the package files, because nothing builds for the board without them. Linker scripts are in lib/mote.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/mote)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/mote-config.cmake [[
include(${CMAKE_CURRENT_LIST_DIR}/mote-targets.cmake)
]])
if(MOTE_BOARD)
  install(FILES ${CMAKE_TOOLCHAIN_FILE} ${PROJECT_SOURCE_DIR}/ports/bare_metal/firmware.cmake
    DESTINATION ${package_folder})
  file(APPEND ${CMAKE_CURRENT_BINARY_DIR}/mote-config.cmake "include(\${CMAKE_CURRENT_LIST_DIR}/firmware.cmake)\n")
endif()
install(EXPORT mote NAMESPACE mote:: FILE mote-targets.cmake DESTINATION ${package_folder})
write_basic_package_version_file(mote-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mote-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/mote-config-version.cmake
  DESTINATION ${package_folder})
