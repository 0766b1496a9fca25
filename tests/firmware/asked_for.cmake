# SPDX-License-Identifier: Apache-2.0
# The linker took this object of libmote_transports for one image, and not for the other, as their maps say.
# usage: cmake -D WITH=IMAGE -D WITHOUT=IMAGE -D MEMBER=NAME -P asked_for.cmake
foreach(image WITH WITHOUT)
  string(REGEX REPLACE "\\.elf$" ".map" map ${${image}})
  file(READ ${map} text)
  string(FIND "${text}" "libmote_transports.a(${MEMBER}.cpp" ${image}_at)
endforeach()
if(WITH_at EQUAL -1)
  message(FATAL_ERROR "${MEMBER} is in no image: what was looked for?")
endif()
if(NOT WITHOUT_at EQUAL -1)
  message(FATAL_ERROR "${MEMBER} is linked although nothing asks for it")
endif()
