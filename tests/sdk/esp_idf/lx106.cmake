# SPDX-License-Identifier: Apache-2.0
# Xtensa LX106, the instruction set of an ESP8266, with the GCC of Debian, which has no libraries. As in
# toolchains/riscv32.cmake, the headers are those of newlib for ARM.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR lx106)
set(CMAKE_CXX_COMPILER xtensa-lx106-elf-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
file(GLOB cxx_configuration /usr/include/newlib/c++/*/arm-none-eabi/thumb/v7-m/nofp)
list(GET cxx_configuration -1 cxx_configuration)
string(REGEX REPLACE "/arm-none-eabi/.*" "" cxx_headers ${cxx_configuration})
set(CMAKE_CXX_FLAGS_INIT "-isystem ${cxx_headers} -isystem ${cxx_configuration} -isystem /usr/include/newlib \
-mlongcalls -mtext-section-literals")
set(chip lx106)
