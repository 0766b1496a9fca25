# SPDX-License-Identifier: Apache-2.0
# Target docs: the API reference of the public headers, made by Doxygen in the folder docs/html of the build. A public
# name without documentation is an error. The reference has the headers of all ports and boards.
find_program(MOTE_DOXYGEN doxygen)

file(GLOB folders ${PROJECT_SOURCE_DIR}/*/include ${PROJECT_SOURCE_DIR}/ports/*/include
  ${PROJECT_SOURCE_DIR}/ports/boards/*/include)
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/include/mcp/*.hpp
  ${PROJECT_SOURCE_DIR}/transports/include/mcp/*.hpp ${PROJECT_SOURCE_DIR}/ports/include/mcp/ports/*.hpp
  ${PROJECT_SOURCE_DIR}/ports/*/include/mcp/ports/*.hpp ${PROJECT_SOURCE_DIR}/ports/devices/include/mcp/devices/*.hpp
  ${PROJECT_SOURCE_DIR}/ports/boards/*/include/mcp/ports/*.hpp
  ${PROJECT_SOURCE_DIR}/ports/workbench/include/mcp/workbench.hpp
  ${PROJECT_SOURCE_DIR}/ports/workbench/include/mcp/workbench/table.hpp)
# Handlers write and read JSON with these.
foreach(name text value writer)
  list(APPEND headers ${PROJECT_SOURCE_DIR}/core/include/mcp/json/${name}.hpp)
endforeach()
# It has mcp::Services, beside names of the server.
list(APPEND headers ${PROJECT_SOURCE_DIR}/core/include/mcp/detail/link.hpp)
set(MOTE_DOCS ${PROJECT_BINARY_DIR}/docs)
list(JOIN folders "\" \"" MOTE_DOCS_FOLDERS)
set(MOTE_DOCS_FOLDERS "\"${MOTE_DOCS_FOLDERS}\"")
list(JOIN headers "\" \"" MOTE_DOCS_INPUT)
set(MOTE_DOCS_INPUT "\"${CMAKE_CURRENT_LIST_DIR}/docs/mainpage.dox\" \"${MOTE_DOCS_INPUT}\"")
configure_file(${CMAKE_CURRENT_LIST_DIR}/docs/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)

if(MOTE_DOXYGEN)
  add_custom_target(docs
    COMMAND ${CMAKE_COMMAND} -E make_directory ${MOTE_DOCS}
    COMMAND ${MOTE_DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile
    COMMAND ${CMAKE_COMMAND} -E echo "The API reference is ${MOTE_DOCS}/html/index.html"
    VERBATIM)
else()
  add_custom_target(docs
    COMMAND ${CMAKE_COMMAND} -E echo "Doxygen is not installed: install the Debian package doxygen, then run cmake again"
    COMMAND ${CMAKE_COMMAND} -E false
    VERBATIM)
endif()
