# SPDX-License-Identifier: Apache-2.0
# What west says of examples/zephyr/west.yml, and of the file with a field that it does not know.
# Then west makes the workspace of examples/zephyr/README.md, without the projects, which are in a network.
#
# usage: cmake -D PYTHON=… -D MOTE_SOURCE=… -D WORK=… -P west.cmake
execute_process(COMMAND ${PYTHON} -c "import west.manifest" RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(NOT result EQUAL 0)
  message("skipped: west is not installed; tests/run --all does that")
  return()
endif()

# run(PROGRAM): a program of Python, with the text of the manifest as `text`. Sets `output`.
function(run program)
  execute_process(COMMAND ${PYTHON} -c "import sys, yaml
from west.manifest import ImportFlag, MalformedManifest, Manifest
text = open(sys.argv[1] + '/examples/zephyr/west.yml').read()
${program}" ${MOTE_SOURCE} OUTPUT_VARIABLE output ERROR_VARIABLE error RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${error}")
  endif()
  string(STRIP "${output}" output)
  set(output "${output}" PARENT_SCOPE)
endfunction()

# The modules come from the manifest of Zephyr, which is not here.
run("manifest = Manifest.from_data(text, import_flags=ImportFlag.IGNORE)
for project in manifest.projects: print(project.name, project.revision, project.path)")
if(NOT output STREQUAL "manifest HEAD mote\nzephyr v4.2.0 zephyr")
  message(FATAL_ERROR "the projects of west.yml are ${output}")
endif()

run("for right, wrong in ('name-allowlist:', 'names:'), ('revision:', 'version:'), ('remote: zephyr', 'remote: other'):
  assert right in text
  try:
    Manifest.from_data(text.replace(right, wrong), import_flags=ImportFlag.IGNORE)
    print(wrong)
  except MalformedManifest: pass")
if(NOT output STREQUAL "")
  message(FATAL_ERROR "west accepts west.yml with ${output}")
endif()

# sample.yaml is YAML with the fields that manifests.mjs has read.
run("sample = yaml.safe_load(open(sys.argv[1] + '/examples/zephyr/sample.yaml'))
print(*sorted(platform for test in sample['tests'].values() for platform in test['platform_allow']))")
if(NOT output STREQUAL "native_sim nrf52840dk/nrf52840 qemu_cortex_m3")
  message(FATAL_ERROR "the platforms of sample.yaml are ${output}")
endif()

# A folder with a clone of mote.
file(REMOVE_RECURSE ${WORK})
foreach(file examples/zephyr/west.yml zephyr/module.yml)
  get_filename_component(folder ${WORK}/mote/${file} DIRECTORY)
  file(COPY ${MOTE_SOURCE}/${file} DESTINATION ${folder})
endforeach()
file(READ ${MOTE_SOURCE}/examples/zephyr/README.md document)
if(NOT document MATCHES "\n    west (init [^\n]+)\n    west update\n")
  message(FATAL_ERROR "README.md has no west init")
endif()
separate_arguments(arguments UNIX_COMMAND "${CMAKE_MATCH_1}")
execute_process(COMMAND ${PYTHON} -m west ${arguments} WORKING_DIRECTORY ${WORK} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${WORK}/.west/config config REGEX "^(path|file) = ")
if(NOT config STREQUAL "path = mote;file = examples/zephyr/west.yml")
  message(FATAL_ERROR "the workspace is ${config}")
endif()
