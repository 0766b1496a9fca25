# SPDX-License-Identifier: Apache-2.0
# Checks every message of the server in a test against the official JSON Schema of its revision. The tests that
# talk to a server write records, and a test of here reads them afterwards. Without the schemas, or without the
# validator, which tests/run installs into build/node, these tests are skipped by name. schema.arguments is in
# CMakeLists.txt. tests/run extracts the schemas of the official conformance suite into build/schemas.
mote_default(schemas ${PROJECT_SOURCE_DIR}/../shared/spec/schema ${PROJECT_SOURCE_DIR}/build/schemas)
set(MOTE_SCHEMAS ${schemas} CACHE PATH
  "The official JSON Schemas of MCP, as REVISION.json; tests that need them are skipped without")
find_program(MOTE_NODE node)
get_filename_component(MOTE_BUILD_NAME ${PROJECT_BINARY_DIR} NAME)
set(MOTE_SCHEMA_FOLDER ${CMAKE_CURRENT_LIST_DIR})

# Test schema.NAME: a program of tests/schema, with the schemas and more arguments.
function(mote_schema_program name program)
  if(MOTE_NODE)
    add_test(NAME schema.${name} COMMAND ${MOTE_NODE} ${MOTE_SCHEMA_FOLDER}/${program} ${MOTE_SCHEMAS} ${ARGN})
  else()
    add_test(NAME schema.${name} COMMAND sh -c "echo 'skipped: Node.js is not installed'; exit 77")
  endif()
  set_tests_properties(schema.${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# Test schema.NAME: holds the records against the schemas, after the tests that set up the fixture records.NAME.
function(mote_schema_test name)
  mote_schema_program(${name} validate.mjs ${ARGN})
  set_tests_properties(schema.${name} PROPERTIES FIXTURES_REQUIRED records.${name})
endfunction()

# The check of the check. Once is enough: the sanitizer build and the firmware would only repeat it.
if(NOT MOTE_BOARD AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  mote_schema_program(validator validator.test.mjs)
endif()
