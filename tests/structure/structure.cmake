# Checks who includes whom below ROOT, as core/README.md describes it, and how long functions are. Prints one line per violation, FILE:LINE: what is
# wrong, and fails if there is any. Knows no C++: it reads lines that begin with #.
#
# usage: cmake -D ROOT=FOLDER -P structure.cmake
cmake_minimum_required(VERSION 3.20)

# What core and transports may use of the standard library: what needs no heap, no platform and no exceptions. A header that
# is missing here is not forbidden forever: look at what it drags in, then add it. Of <new> it is
# the form that puts an object where memory is: the heap gate sees the others.
set(plain_headers algorithm array atomic bit climits compare concepts cstdarg cstddef cstdint cstring
  initializer_list iterator limits new numeric optional span string_view tuple type_traits utility)
# FILE:HEADER: what one file alone may use besides. Coroutines are for who includes mcp/coroutine.hpp.
set(plain_exceptions core/mcp/coroutine.hpp:coroutine)

set(violations 0)

function(report file line what)
  message("${file}:${line}: ${what}")
  math(EXPR count "${violations} + 1")
  set(violations ${count} PARENT_SCOPE)
endfunction()

# check_folder(FOLDER [TOP] [PLAIN] [NO_IF] MAY pattern...): the files of FOLDER and below (TOP: only directly in it) include
# from the project only headers whose path begins with one of the patterns; `*` at the end of one is a file, not a folder.
# PLAIN: from elsewhere only plain_headers. NO_IF: no conditional compilation.
function(check_folder folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TOP;PLAIN;NO_IF" "" "MAY")
  set(glob GLOB_RECURSE)
  if(arg_TOP)
    set(glob GLOB)
  endif()
  file(${glob} files RELATIVE ${ROOT} ${ROOT}/${folder}/*.hpp ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.c)
  list(JOIN arg_MAY ", " allowed)
  list(TRANSFORM arg_MAY REPLACE "\\*$" "[^/]+$")
  list(JOIN arg_MAY "|" may)
  foreach(file IN LISTS files)
    # As a list of lines, without the characters that mean something in a list of CMake.
    file(READ ${ROOT}/${file} text)
    string(REGEX REPLACE "[][;\\\\]" " " text "${text}")
    string(REPLACE "\n" ";" lines "${text}")
    set(number 0)
    foreach(line IN LISTS lines)
      math(EXPR number "${number} + 1")
      if(NOT line MATCHES "^[ \t]*#")
        continue()
      endif()
      if(arg_NO_IF AND line MATCHES "^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else)([^a-z]|$)")
        report(${file} ${number} "#${CMAKE_MATCH_1}: ${folder} has no conditional compilation")
      endif()
      if(NOT line MATCHES "^[ \t]*#[ \t]*include[ \t]*([\"<])([^\">]+)[\">]")
        continue()
      endif()
      set(kind "${CMAKE_MATCH_1}")
      set(header "${CMAKE_MATCH_2}")
      if(header MATCHES "^(core|mcp|json|rpc|memory|protocol|transports|ports|examples|tests)/" OR kind STREQUAL "\"")
        if(NOT header MATCHES "^(${may})")
          report(${file} ${number} "includes ${header}: ${folder} includes from the project only ${allowed}")
        endif()
      elseif(arg_PLAIN AND NOT header IN_LIST plain_headers AND NOT "${file}:${header}" IN_LIST plain_exceptions)
        report(${file} ${number} "includes <${header}>: ${folder} uses no platform and no heap (see plain_headers in structure.cmake)")
      endif()
    endforeach()
  endforeach()
  set(violations ${violations} PARENT_SCOPE)
endfunction()

# check_length(FOLDER MOST): no function at the outermost level of the files of FOLDER and below has more than MOST lines.
# What clang-format makes of a function begins and ends in the first column. (clang-tidy has the rule for methods, too.)
function(check_length folder most)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${folder}/*.hpp ${ROOT}/${folder}/*.cpp)
  foreach(file IN LISTS files)
    file(READ ${ROOT}/${file} text)
    string(LENGTH "${text}" size)
    # Most files are shorter than any function may be.
    if(size LESS 2000)
      continue()
    endif()
    string(REGEX REPLACE "[][;\\\\]" " " text "${text}")
    string(REPLACE "\n" ";" lines "${text}")
    set(number 0)
    set(start 0)
    foreach(line IN LISTS lines)
      math(EXPR number "${number} + 1")
      if(line MATCHES "^[^ #/}\t].*{$")
        set(start ${number})
        if(line MATCHES "= {$|^(template.*> )?(namespace|struct|class|enum|union|extern) ")
          set(start 0)
        endif()
      elseif(start GREATER 0 AND line MATCHES "^}")
        math(EXPR length "${number} - ${start} + 1")
        if(length GREATER most)
          report(${file} ${start} "a function of ${length} lines: ${most} fit on a screen")
        endif()
        set(start 0)
      endif()
    endforeach()
  endforeach()
  set(violations ${violations} PARENT_SCOPE)
endfunction()

# The folders inside FOLDER.
function(folders_of folder result)
  file(GLOB entries RELATIVE ${ROOT}/${folder} ${ROOT}/${folder}/*)
  set(folders "")
  foreach(entry IN LISTS entries)
    if(IS_DIRECTORY ${ROOT}/${folder}/${entry})
      list(APPEND folders ${entry})
    endif()
  endforeach()
  set(${result} "${folders}" PARENT_SCOPE)
endfunction()

# ---- The rules -------------------------------------------------------------------------------------------------------

check_folder(core/json PLAIN NO_IF MAY json/)
check_folder(core/memory PLAIN NO_IF MAY memory/)
check_folder(core/rpc PLAIN NO_IF MAY rpc/ json/)
check_folder(core/mcp PLAIN NO_IF MAY mcp/ json/ memory/ rpc/)
check_folder(core/protocol PLAIN NO_IF MAY protocol/ mcp/ json/ memory/ rpc/)
folders_of(core areas)
list(REMOVE_ITEM areas json memory rpc mcp protocol)
foreach(area IN LISTS areas)
  report(core/${area} 1 "a folder of core without a rule: say in structure.cmake what it may know")
endforeach()

# Not protocol/, the inside of core, which is not installed.
folders_of(transports transports)
foreach(transport IN LISTS transports)
  check_folder(transports/${transport} PLAIN NO_IF MAY transports/${transport}/ mcp/ json/ memory/ rpc/)
endforeach()

# What several ports share lies in ports/ itself.
check_folder(ports TOP MAY ports/* mcp/)
folders_of(ports ports)
foreach(port IN LISTS ports)
  check_folder(ports/${port} MAY ports/${port}/ ports/* mcp/)
endforeach()

# An application joins what it needs; files of its own have no folder in their name.
folders_of(examples examples)
foreach(example IN LISTS examples)
  check_folder(examples/${example} MAY mcp/ transports/ ports/ *)
endforeach()

foreach(folder core transports ports examples)
  check_length(${folder} 60)
endforeach()
# A test may have the rows of a table in it.
check_length(tests 90)

if(violations GREATER 0)
  message(FATAL_ERROR "${violations} violation(s) of the rules of the house")
endif()
