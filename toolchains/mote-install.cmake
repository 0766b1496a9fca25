# `cmake --install` puts headers, libraries and the package files where find_package(mote) finds them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY MOTE_LIBRARIES)
install(TARGETS ${libraries} EXPORT mote ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(folder core/mcp core/json core/rpc core/memory)
  get_filename_component(name ${folder} NAME)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/ DESTINATION include/mote/${name} FILES_MATCHING PATTERN "*.hpp")
endforeach()
foreach(folder transports ports)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/ DESTINATION include/mote/${folder} FILES_MATCHING PATTERN "*.hpp")
endforeach()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/mote)
install(EXPORT mote NAMESPACE mote:: FILE mote-config.cmake DESTINATION ${package_folder})
write_basic_package_version_file(mote-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mote-config-version.cmake DESTINATION ${package_folder})
