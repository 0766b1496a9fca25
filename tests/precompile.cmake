# SPDX-License-Identifier: Apache-2.0
# Precompiled headers, which save 0.4 to 2 s per source file. `tests/run` adds this file to the project with
# -DCMAKE_PROJECT_mote_INCLUDE=; it runs before the targets exist. In host-sanitize they are those of other projects alone:
# Clang counts no function of a precompiled header, and a missing #include of ours is an error there.
function(precompile_headers)
  set(core ${CMAKE_CURRENT_SOURCE_DIR}/core)
  set(headers <gtest/gtest.h> <algorithm> <array> <string> <vector>)
  if(NOT MOTE_COVERAGE)
    list(APPEND headers <mcp/server.hpp> <mcp/stdio_transport.hpp>)
    # simulator_device and threads_core compile core again.
    foreach(library mote_core simulator_device threads_core)
      if(TARGET ${library})
        target_precompile_headers(${library} PRIVATE <algorithm> <cstring> <mcp/server.hpp> ${core}/engine/hooks.hpp
          ${core}/engine/request.hpp ${core}/engine/responses.hpp ${core}/engine/send_context.hpp)
      endif()
    endforeach()
    if(TARGET mote_transports)
      target_precompile_headers(mote_transports PRIVATE <algorithm> <cstring> <mcp/server.hpp> <mcp/http_transport.hpp>)
    endif()
  endif()
  if(NOT TARGET unit_protocol)
    return()
  endif()
  # Unit tests that are compiled with the same options.
  target_precompile_headers(unit_protocol PRIVATE ${headers})
  mote_targets_of(${CMAKE_CURRENT_SOURCE_DIR}/tests units)
  list(FILTER units INCLUDE REGEX "^unit_")
  list(FILTER units EXCLUDE REGEX "^unit_(arduino|corpora|esp_idf|frame_check|protocol)$")
  foreach(unit IN LISTS units)
    target_precompile_headers(${unit} REUSE_FROM unit_protocol)
  endforeach()
endfunction()
cmake_language(DEFER CALL precompile_headers)
