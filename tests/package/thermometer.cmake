# SPDX-License-Identifier: Apache-2.0
# run_thermometer(PROGRAM FOLDER): examples/thermometer of this machine reads its sensor, a file in FOLDER.
function(run_thermometer program folder)
  file(WRITE ${folder}/sensor "21500\n")
  file(WRITE ${folder}/requests [[
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"sensor://temperature"}}
]])
  execute_process(COMMAND ${program} --sensor ${folder}/sensor INPUT_FILE ${folder}/requests OUTPUT_VARIABLE output
    TIMEOUT 60 COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${output}" [["text":"{\"celsius\":21.5}"]] at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${program} has not read its sensor:\n${output}")
  endif()
endfunction()
