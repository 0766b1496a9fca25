# Configures and builds the project in the folder WAY, and calls the tool of the server that comes out.
cmake_minimum_required(VERSION 3.20)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
if(WAY STREQUAL "find_package")
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${MOTE_BUILD} --prefix ${WORK}/prefix COMMAND_ERROR_IS_FATAL ANY)
  set(where -D CMAKE_PREFIX_PATH=${WORK}/prefix)
else()
  set(where -D MOTE_SOURCE=${MOTE_SOURCE})
endif()

execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${WAY} -B ${WORK}/build -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${COMPILER} ${where}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build COMMAND_ERROR_IS_FATAL ANY)

file(WRITE ${WORK}/questions [[
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"package-test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"say_hello","arguments":{"times":1}}}
]])
execute_process(COMMAND ${WORK}/build/server
  INPUT_FILE ${WORK}/questions OUTPUT_VARIABLE answers TIMEOUT 20 COMMAND_ERROR_IS_FATAL ANY)
if(NOT answers MATCHES [=["id":2,"result":{"content":\[{"type":"text","text":"hello"}\]]=])
  message(FATAL_ERROR "unexpected answers: ${answers}")
endif()
