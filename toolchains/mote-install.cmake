# `cmake --install` puts headers, libraries and the package files where find_package(mote) finds them. An installation
# is for what this build was for: the host, or one board.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(MOTE_BOARD)
  set(port ${MOTE_BOARD})
else()
  set(port posix)
endif()

get_property(libraries GLOBAL PROPERTY MOTE_LIBRARIES)
install(TARGETS ${libraries} EXPORT mote ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(folder core transports)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/include/ DESTINATION include/mote)
endforeach()
foreach(name ports/${port} ports/mbedtls)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${name}/ DESTINATION include/mote/${name} FILES_MATCHING PATTERN "*.hpp")
endforeach()

file(GLOB shared ${PROJECT_SOURCE_DIR}/ports/*.hpp)
install(FILES ${shared} DESTINATION include/mote/ports)

# A board brings mote_firmware(), which makes an image of an executable; its port installs the file. The toolchain file,
# without which nothing is built for it, stands beside the package files.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/mote)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/mote-config.cmake [[
include(${CMAKE_CURRENT_LIST_DIR}/mote-targets.cmake)
]])
if(MOTE_BOARD)
  install(FILES ${CMAKE_TOOLCHAIN_FILE} DESTINATION ${package_folder})
  file(RELATIVE_PATH firmware /${package_folder} /include/mote/ports/firmware.cmake)
  file(APPEND ${CMAKE_CURRENT_BINARY_DIR}/mote-config.cmake "include(\${CMAKE_CURRENT_LIST_DIR}/${firmware})\n")
endif()
install(EXPORT mote NAMESPACE mote:: FILE mote-targets.cmake DESTINATION ${package_folder})
write_basic_package_version_file(mote-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mote-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/mote-config-version.cmake
  DESTINATION ${package_folder})
