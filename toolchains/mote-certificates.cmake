# SPDX-License-Identifier: Apache-2.0
# Certificates as constants of a program. Also run as a script, which writes them:
# cmake -D OUT=FILE -D CERTIFICATE=DER -D KEY=DER [-D AUTHORITY=DER] -P mote-certificates.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.21)
  function(constant name file)
    file(READ "${file}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REPEAT "....." 20 row)
    string(REGEX REPLACE "(${row})" "\\1\n    " bytes "${bytes}")
    set(text "${text}inline constexpr std::uint8_t ${name}_der[] = {\n    ${bytes}};\n" PARENT_SCOPE)
  endfunction()
  string(CONCAT text "// Written by toolchains/mote-certificates.cmake.\n#pragma once\n#include <array>\n"
    "#include <cstdint>\n#include <span>\nnamespace identity {\nusing Der = std::span<const std::uint8_t>;\n")
  constant(certificate "${CERTIFICATE}")
  constant(key "${KEY}")
  set(authorities "inline constexpr std::array<Der, 0> client_authorities{};\n")
  if(AUTHORITY)
    constant(authority "${AUTHORITY}")
    set(authorities "inline constexpr std::array client_authorities{Der(authority_der)};\n")
  endif()
  file(WRITE "${OUT}" "${text}inline constexpr std::array certificates{Der(certificate_der)};\n"
    "inline constexpr Der key(key_der);\n${authorities}}  // namespace identity\n")
  return()
endif()

# Certificates for trying out, made once in each build folder: MOTE_CERTIFICATES is their folder.
find_program(MOTE_OPENSSL openssl)
find_program(MOTE_BASH NAMES bash)
set(MOTE_CERTIFICATES ${PROJECT_BINARY_DIR}/certificates)
if(MOTE_OPENSSL AND MOTE_BASH)
  add_custom_command(OUTPUT ${MOTE_CERTIFICATES}/server.der ${MOTE_CERTIFICATES}/server_key.der
      ${MOTE_CERTIFICATES}/client.der ${MOTE_CERTIFICATES}/client_key.der ${MOTE_CERTIFICATES}/authority.der
    COMMAND ${MOTE_BASH} ${PROJECT_SOURCE_DIR}/toolchains/make-certificates ${MOTE_CERTIFICATES}
    DEPENDS ${PROJECT_SOURCE_DIR}/toolchains/make-certificates VERBATIM)
  add_custom_target(mote_certificates DEPENDS ${MOTE_CERTIFICATES}/server_key.der)
else()
  message(STATUS "no openssl, so no certificates to try TLS with: HTTPS images and tests of TLS are left out")
endif()

# mote_identity(TARGET CERTIFICATE KEY [AUTHORITY]): the header <identity.hpp> of TARGET with what these files of DER
# hold: identity::certificates, identity::key, and identity::client_authorities, which is empty without AUTHORITY.
function(mote_identity target certificate key)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_identity)
  add_custom_command(OUTPUT ${folder}/identity.hpp
    COMMAND ${CMAKE_COMMAND} -D OUT=${folder}/identity.hpp -D CERTIFICATE=${certificate} -D KEY=${key}
      -D AUTHORITY=${ARGV3} -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${certificate} ${key} ${ARGV3} ${CMAKE_CURRENT_FUNCTION_LIST_FILE} VERBATIM)
  target_sources(${target} PRIVATE ${folder}/identity.hpp)
  target_include_directories(${target} PRIVATE ${folder})
  if(TARGET mote_certificates)
    add_dependencies(${target} mote_certificates)
  endif()
endfunction()
