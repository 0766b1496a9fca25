# SPDX-License-Identifier: Apache-2.0
# Settings of every target of the project.

# Compiler options: disable the language features that firmware of the project must not use.
function(mote_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>
    -ffunction-sections -fdata-sections
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wimplicit-fallthrough
    $<$<BOOL:${MOTE_WERROR}>:-Werror>)
endfunction()

# A program of this machine has its C++ runtime inside: the little of it that is used costs less memory than the mapping of
# the shared one. Not with sanitizers, which bring a runtime of their own, and not on macOS, which has no static one.
function(mote_program target)
  if(NOT APPLE AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

# A library of the project: target mote_NAME, alias mote::NAME. ROOT/include is on the include path of its users, ROOT on
# its own.
function(mote_library name root)
  add_library(mote_${name} STATIC ${ARGN})
  add_library(mote::${name} ALIAS mote_${name})
  mote_target(mote_${name})
  # With CMAKE_UNITY_BUILD of a user, CMake would join sources with equal names in their anonymous namespaces.
  set_target_properties(mote_${name} PROPERTIES UNITY_BUILD OFF)
  set_target_properties(mote_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY MOTE_LIBRARIES mote_${name})
  set(headers ${root})
  if(EXISTS ${root}/include)
    set(headers ${root}/include)
  endif()
  target_include_directories(mote_${name} PUBLIC $<BUILD_INTERFACE:${headers}> $<INSTALL_INTERFACE:${MOTE_INCLUDE}>
    PRIVATE ${root})
endfunction()

# mote_unity(TARGET [GROUP...]): compiles the sources of a folder as one file, and so those of the folders that a GROUP
# names (found+guards). Headers take most of the time of a source, so this needs a third of it. With link-time optimization
# the images of boards keep their size, with few files or with many. Without it they grow by up to 3 %, because GCC inlines more in a larger file, so
# there each source is compiled alone. A source with the property SKIP_UNITY_BUILD_INCLUSION is always compiled alone. The
# target property MOTE_SOURCES has the sources.
set(unity ON)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  set(unity OFF)
endif()
option(MOTE_UNITY "Compile the sources of a folder of the library as one file" ${unity})
function(mote_unity target)
  get_target_property(sources ${target} SOURCES)
  set_target_properties(${target} PROPERTIES MOTE_SOURCES "${sources}")
  if(NOT MOTE_UNITY)
    return()
  endif()
  get_filename_component(binary ${CMAKE_CURRENT_BINARY_DIR} REALPATH)
  foreach(source IN LISTS sources)
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(alone OR NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(folder ${path} DIRECTORY)
    get_filename_component(real ${folder} REALPATH)
    get_filename_component(unit ${folder} NAME)
    foreach(group IN LISTS ARGN)
      string(REPLACE "+" ";" folders ${group})
      if(unit IN_LIST folders)
        list(GET folders 0 unit)
        break()
      endif()
    endforeach()
    # Relative paths, so that a compiler cache serves each clone. Without symbolic links, because the compiler follows a
    # link before "..".
    get_filename_component(name ${path} NAME)
    file(RELATIVE_PATH path ${binary} ${real}/${name})
    list(APPEND units ${unit})
    list(APPEND sources_${unit} ${source})
    string(APPEND includes_${unit} "#include \"${path}\"\n")
  endforeach()
  list(REMOVE_DUPLICATES units)
  set(each "")
  foreach(unit IN LISTS units)
    list(LENGTH sources_${unit} size)
    if(size GREATER 1)
      file(CONFIGURE OUTPUT ${target}_${unit}.cpp CONTENT "${includes_${unit}}" @ONLY)
      list(REMOVE_ITEM sources ${sources_${unit}})
      list(APPEND sources ${CMAKE_CURRENT_BINARY_DIR}/${target}_${unit}.cpp)
      list(APPEND each ${sources_${unit}})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
  # Never built: the commands of the sources, for the tools that read compile_commands.json.
  if(each)
    add_library(${target}_each OBJECT EXCLUDE_FROM_ALL ${each})
    mote_target(${target}_each)
    set_target_properties(${target}_each PROPERTIES UNITY_BUILD OFF)
    target_include_directories(${target}_each PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${target}_each PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  endif()
endfunction()
