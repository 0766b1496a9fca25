# SPDX-License-Identifier: Apache-2.0
# package.new_project.NAME: toolchains/new-project writes a project of this KIND, and it is built. The last line says
# against what. On a PC and in the emulator, the test of the project runs, too.
#   pc BOARD        also with the program and the libraries of an installation of MOTE_BUILD
#   pico            with the pico-sdk in build/sources, else with stubs of its headers
#   arduino         with a fake core
#   esp_idf stm32 zephyr
#                   with a fake of the build system and stubs of the headers
# MOTE_SOURCE, MOTE_BUILD, WORK, GENERATOR, COMPILER, NODE and PRECOMPILE are those of the build.
cmake_minimum_required(VERSION 3.21)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(name greenhouse_1)
set(fakes ${CMAKE_CURRENT_LIST_DIR}/new_project)
set(tests ${MOTE_SOURCE}/tests)

# run(COMMAND...): fails with the output, or sets `output` to it.
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${command}\nends with ${result}:\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

# contains(TEXT WANTED WHERE)
function(contains text wanted where)
  string(FIND "${text}" "${wanted}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${where} has no ${wanted}:\n${text}")
  endif()
endfunction()

# generate(PROGRAM FOLDER OPTION...): writes the project into FOLDER/${name}, and checks its files. Sets `project`.
function(generate program folder)
  set(project ${folder}/${name})
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${program} ${name} ${ARGN} WORKING_DIRECTORY ${folder} OUTPUT_VARIABLE said
    COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE files ${project}/*)
  foreach(file IN LISTS files ITEMS ${project}/.gitignore ${project}/.vscode/tasks.json)
    file(READ ${file} text)
    if(text MATCHES "@[a-z_]+@" OR text MATCHES "SPDX-License")
      message(FATAL_ERROR "${file} still has ${CMAKE_MATCH_0}")
    endif()
    if(file MATCHES "[.]json$")
      string(JSON members LENGTH "${text}")  # fails for a text that is not JSON
    endif()
  endforeach()
  # The commands are the same everywhere.
  file(READ ${project}/README.md readme)
  file(READ ${project}/.vscode/tasks.json tasks)
  string(JSON build GET "${tasks}" tasks 0 command)
  string(JSON test GET "${tasks}" tasks 1 command)
  foreach(command "    ${build}\n" "    ${test}\n" " config claude --name ${name} --write -- ")
    contains("${readme}" "${command}" README.md)
    contains("${said}" "${command}" "the output")
  endforeach()
  set(project ${project} PARENT_SCOPE)
  set(said "${said}" PARENT_SCOPE)
endfunction()

# The third command, without --write, shows the entry of a host. A client with this entry reaches the device.
function(run_attach)
  set(attach ${MOTE_SOURCE}/toolchains/attach)
  if(NOT NODE OR NOT EXISTS ${attach}/node_modules/jsonc-parser)
    message("not tested: attach is not installed; tests/run installs it")
    return()
  endif()
  file(READ ${project}/README.md readme)
  if(NOT readme MATCHES "\n    node ([^\n]* config claude --name ${name}) --write( -- [^\n]*)")
    message(FATAL_ERROR "README.md does not connect a host: ${readme}")
  endif()
  set(command "${NODE} ${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
  execute_process(COMMAND sh -c "${command}" WORKING_DIRECTORY ${project} OUTPUT_VARIABLE entry
    COMMAND_ERROR_IS_FATAL ANY)
  string(JSON members LENGTH "${entry}" mcpServers ${name} args)
  set(args "")
  math(EXPR last "${members} - 1")
  foreach(i RANGE ${last})
    string(JSON arg GET "${entry}" mcpServers ${name} args ${i})
    list(APPEND args ${arg})
  endforeach()
  run_client(${NODE} ${args})
endfunction()

# build(OPTION...): configures and builds `project`.
function(build)
  run(${CMAKE_COMMAND} -S ${project} -B ${project}/build -G ${GENERATOR} -D MOTE_WERROR=ON ${PRECOMPILE} ${ARGN})
  run(${CMAKE_COMMAND} --build ${project}/build --parallel 2)
endfunction()

# run_client([COMMAND...]): the test of the project, with the client that tests/run installs. COMMAND is another device.
function(run_client)
  set(modules ${MOTE_SOURCE}/build/node/node_modules)
  if(NOT NODE OR NOT EXISTS ${modules}/@modelcontextprotocol/sdk/package.json)
    message("skipped: the official client is not installed; tests/run installs it")
    return()
  endif()
  file(REMOVE ${project}/node_modules)
  file(CREATE_LINK ${modules} ${project}/node_modules SYMBOLIC)
  # As `npm test`, whose command is in package.json.
  file(READ ${project}/package.json package)
  string(JSON command GET "${package}" scripts test)
  if(NOT command STREQUAL "node test/client.mjs")
    message(FATAL_ERROR "npm test is ${command}")
  endif()
  execute_process(COMMAND ${NODE} test/client.mjs ${ARGN} WORKING_DIRECTORY ${project} OUTPUT_VARIABLE text
    RESULT_VARIABLE result)
  if(NOT result EQUAL 0 OR NOT text MATCHES "# pass 4\n")
    message(FATAL_ERROR "the test of the project ends with ${result}:\n${text}")
  endif()
endfunction()

set(program ${MOTE_SOURCE}/toolchains/new-project)
if(KIND STREQUAL "pc" OR KIND STREQUAL "board")
  if(KIND STREQUAL "board")
    set(options --board ${BOARD})
    set(compiler "")
  else()
    set(options --pc)
    set(compiler -D CMAKE_CXX_COMPILER=${COMPILER})
  endif()
  generate(${program} ${WORK}/clone ${options})
  build(${compiler})
  run_client()
  run_attach()
  # The user installs mote, and has no sources of it.
  run(${CMAKE_COMMAND} --install ${MOTE_BUILD} --prefix ${WORK}/prefix)
  generate(${WORK}/prefix/lib/mote/toolchains/new-project ${WORK}/installed ${options})
  build(${compiler})
  file(READ ${project}/build/CMakeCache.txt cache)
  contains("${cache}" "mote_DIR:PATH=${WORK}/prefix/" CMakeCache.txt)
  run_client()
  # The project of one machine on another one, where mote has another place.
  file(REMOVE_RECURSE ${project}/build)
  build(${compiler} -D MOTE_DIR=${WORK}/prefix)
  list(JOIN options " " options)
  message("package.new_project: ${options}: built and run with the sources and with an installation of mote")
else()
  include(${fakes}/${KIND}.cmake)
endif()
