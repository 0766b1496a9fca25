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
  set_target_properties(mote_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY MOTE_LIBRARIES mote_${name})
  set(headers ${root})
  if(EXISTS ${root}/include)
    set(headers ${root}/include)
  endif()
  target_include_directories(mote_${name} PUBLIC $<BUILD_INTERFACE:${headers}> $<INSTALL_INTERFACE:include/mote>
    PRIVATE ${root})
endfunction()
