# "None when it is not linked": an image whose Definition has one tool without arguments, and nothing else, holds
# nothing of the other areas. Two ways of looking at it: which members of libmote_core the linker took, as its map says,
# before anything was optimised away; and which areas and kinds of parameters have a constant in the image, since all
# their code is reached through these. The image with everything, in the same way, shows that there would be something
# to find.
#
# usage: cmake -D NM=… -D BASE=IMAGE -D FULL=IMAGE "-D CORE=SOURCE;…" -P linked.cmake
cmake_minimum_required(VERSION 3.20)

# What a tool without arguments may take: JSON, JSON-RPC, the way of a message, the handshake, tools. base64 comes with
# the writer, and is not in the image in the end.
set(may_members
  base64 number_read number_write scan value writer
  envelope id_finder response
  pool
  arguments content feature lifecycle notifications paging request responses send_context server
  server_request_ids session_place tools)
set(may_constants session_feature tools_feature)

# Sets members and constants of the image.
function(look image)
  string(REGEX REPLACE "\\.elf$" ".map" map ${image})
  file(READ ${map} text)
  string(FIND "${text}" "\nDiscarded input sections" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  string(REGEX MATCHALL "libmote_core\\.a\\([a-z0-9_]+\\.cpp" members "${text}")
  list(TRANSFORM members REPLACE ".*\\((.*)\\.cpp" "\\1")
  list(REMOVE_DUPLICATES members)
  set(members "${members}" PARENT_SCOPE)

  string(REGEX MATCH "libgcc\\.a" compiler_library "${text}")
  set(compiler_library "${compiler_library}" PARENT_SCOPE)

  execute_process(COMMAND ${NM} ${image} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "_ZN3mcp(8protocol|6detail)[0-9]+[a-z_]+(feature|ops|reader|codec|output|limiter)E" constants
    "${text}")
  list(TRANSFORM constants REPLACE "_ZN3mcp[68][a-z]+[0-9]+(.*)E" "\\1")
  list(REMOVE_DUPLICATES constants)
  set(constants "${constants}" PARENT_SCOPE)
endfunction()

look(${FULL})
foreach(source IN LISTS CORE)
  get_filename_component(name ${source} NAME_WE)
  # Headers are for HTTP, which is not in these images.
  if(name STREQUAL metadata_headers)
    continue()
  endif()
  if(NOT name IN_LIST members)
    message(SEND_ERROR "the image with everything does not link ${name}.cpp: what was looked for in the other one?")
  endif()
endforeach()
foreach(area tools resources prompts jobs completions asking tasks streams logging list_changes elicitation_ends
    roots_changed keep_alive pong session)
  if(NOT constants MATCHES "(^|;)((extended|asking)_)?${area}_feature(;|$)")
    message(SEND_ERROR "the image with everything has no constant of ${area}")
  endif()
endforeach()
foreach(constant stateless_ops subscription_ops audit_ops input_request_ops prompt_input_ops mrtr_ops seal_ops task_ops
    stateless_task_ops rate_limiter extended_template_reader integer_codec unsigned_codec float_codec double_codec boolean_codec string_codec fixed_string_codec choice_codec list_codec object_codec
    integer_output float_output)
  if(NOT constant IN_LIST constants)
    message(SEND_ERROR "the image with everything has no ${constant}")
  endif()
endforeach()
# Nor does arithmetic of 64 bits or of floating point, which the core goes around.
if(compiler_library)
  message(SEND_ERROR "the image with everything links something of libgcc")
endif()
list(LENGTH members all_members)
list(LENGTH constants all_constants)

look(${BASE})
foreach(kind members constants)
  set(more ${${kind}})
  list(REMOVE_ITEM more ${may_${kind}})
  if(more)
    message(SEND_ERROR "a tool without arguments links: ${more}")
  endif()
endforeach()
if(compiler_library)
  message(SEND_ERROR "a tool without arguments links something of libgcc")
endif()
list(LENGTH members base_members)
list(LENGTH constants base_constants)
message("a tool without arguments: ${base_members} of ${all_members} members of libmote_core, "
  "${base_constants} of ${all_constants} constants of areas and kinds of parameters")
