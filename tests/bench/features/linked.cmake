# SPDX-License-Identifier: Apache-2.0
# Pay per use: an image whose Definition has one tool without arguments, and nothing else, contains no code of other
# features. Two checks: which sources of core have a line in the line table of the image, inlined code included; and
# which features and kinds of parameters have a constant in the image, through which all their code is reached, and
# which forms of rows it writes. The image with everything shows that both checks find something.
#
# usage: cmake -D NM=… -D OBJDUMP=… -D BASE=IMAGE "-D FULL=IMAGE;…" "-D CORE=SOURCE;…" -P linked.cmake
cmake_minimum_required(VERSION 3.20)

# JSON, JSON-RPC, the message path, the lifecycle, and tools.
set(may_sources
  number_write scan value writer
  envelope id_finder response
  pool
  arguments call content feature lifecycle notifications paging request responses send_context server
  server_request_ids session_slot tools)
set(may_constants session_feature tools_feature write_row_0_Plain)

set(core_names "")
foreach(source IN LISTS CORE)
  get_filename_component(name ${source} NAME_WE)
  list(APPEND core_names ${name})
endforeach()

# Sets sources, constants and compiler_library for an image.
function(look image)
  execute_process(COMMAND ${OBJDUMP} --dwarf=decodedline ${image} OUTPUT_VARIABLE text ERROR_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\n[a-z0-9_]+\\.cpp +[0-9]+ +0x" rows "${text}")
  list(REMOVE_DUPLICATES rows)
  list(TRANSFORM rows REPLACE "\n([a-z0-9_]+)\\.cpp.*" "\\1")
  list(REMOVE_DUPLICATES rows)
  set(sources "")
  foreach(name IN LISTS core_names)
    if(name IN_LIST rows)
      list(APPEND sources ${name})
    endif()
  endforeach()
  set(sources "${sources}" PARENT_SCOPE)

  string(REGEX REPLACE "\\.elf$" ".map" map ${image})
  file(READ ${map} text)
  string(FIND "${text}" "\nDiscarded input sections" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  string(REGEX MATCH "libgcc\\.a" compiler_library "${text}")
  set(compiler_library "${compiler_library}" PARENT_SCOPE)

  execute_process(COMMAND ${NM} ${image} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "_ZN3mcp(8protocol|6detail)[0-9]+[a-z_]+(feature|ops|reader|codec|output|limiter)E" constants
    "${text}")
  list(TRANSFORM constants REPLACE "_ZN3mcp[68][a-z]+[0-9]+(.*)E" "\\1")
  # By the number of the list in ListKind.
  string(REGEX MATCHALL "write_rowILNS_8ListKindE[0-9]+ENS_6detail[0-9]+(Plain|Shown|TaskShown)E" forms "${text}")
  list(TRANSFORM forms REPLACE "write_rowILNS_8ListKindE([0-9]+)ENS_6detail[0-9]+(.*)E" "write_row_\\1_\\2")
  # Several audits are arguments of the one that calls them.
  string(REGEX MATCHALL "AuditsInTurnI[^\n]*" names "${text}")
  string(REGEX MATCHALL "L_ZNS0_[0-9]+[a-z_]+opsE" audits "${names}")
  list(TRANSFORM audits REPLACE "L_ZNS0_[0-9]+(.*)E" "\\1")
  list(APPEND constants ${forms} ${audits})
  list(REMOVE_DUPLICATES constants)
  set(constants "${constants}" PARENT_SCOPE)
endfunction()

set(all_sources "")
set(all_constants "")
foreach(image IN LISTS FULL)
  look(${image})
  list(APPEND all_sources ${sources})
  list(APPEND all_constants ${constants})
  # Arithmetic of 64 bits and of floating point, which the core goes around. The parts of every_feature that divide
  # what an application gives (multiple_of, the mean of floats) may use it.
  if(compiler_library AND NOT image MATCHES "every_feature")
    message(SEND_ERROR "${image} links something of libgcc")
  endif()
endforeach()
list(REMOVE_DUPLICATES all_sources)
list(REMOVE_DUPLICATES all_constants)
set(sources "${all_sources}")
set(constants "${all_constants}")
foreach(name IN LISTS core_names)
  # These images have no HTTP, for which metadata headers are, no MQTT, for which written is, no records, for which
  # settings are, and no tasks.
  if(NOT name MATCHES "^(metadata_headers|settings|task_check|written)$" AND NOT name IN_LIST sources)
    message(SEND_ERROR "the image with everything has no code of ${name}.cpp, so the other check finds nothing")
  endif()
endforeach()
foreach(area tools resources prompts jobs completions asking tasks streams logging list_changes elicitation_ends
    roots_changed keep_alive pong session)
  if(NOT "${area}_feature" IN_LIST constants)
    message(SEND_ERROR "the image with everything has no constant of ${area}")
  endif()
endforeach()
foreach(constant stateless_ops subscription_ops audit_ops input_request_ops mrtr_ops seal_ops task_ops
    stateless_task_ops rate_limiter log_ops count_ops counted_stateless_ops write_row_0_Shown write_row_2_Shown integer_codec unsigned_codec float_codec double_codec boolean_codec string_codec fixed_string_codec choice_codec list_codec object_codec
    integer_output float_output client_info_feature job_callers_feature caller_audit_ops)
  if(NOT constant IN_LIST constants)
    message(SEND_ERROR "the image with everything has no ${constant}")
  endif()
endforeach()
list(LENGTH sources all_sources)
list(LENGTH constants all_constants)

look(${BASE})
foreach(kind sources constants)
  set(more ${${kind}})
  list(REMOVE_ITEM more ${may_${kind}})
  if(more)
    message(SEND_ERROR "a tool without arguments links: ${more}")
  endif()
endforeach()
if(compiler_library)
  message(SEND_ERROR "a tool without arguments links something of libgcc")
endif()
list(LENGTH sources base_sources)
list(LENGTH constants base_constants)
message("a tool without arguments: ${base_sources} of ${all_sources} sources of core, "
  "${base_constants} of ${all_constants} constants of areas and kinds of parameters")
