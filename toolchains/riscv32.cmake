# SPDX-License-Identifier: Apache-2.0
# CMake toolchain: bare-metal 32-bit RISC-V (rv32imac) with riscv64-unknown-elf GCC and picolibc. Knows the processor, no
# board.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR rv32imac)

set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_CXX_COMPILER riscv64-unknown-elf-g++)

# Without a board's linker script nothing links: CMake's own compiler checks stop at a library.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Debian has no C++ library for this compiler. Of the headers in newlib for ARM, those without a library work on any
# 32-bit processor: GCC's own headers, and a configuration without threads.
file(GLOB cxx_headers /usr/include/newlib/c++/*/arm-none-eabi/thumb/v7-m/nofp)
if(NOT cxx_headers)
  message(FATAL_ERROR "C++ headers are missing; on Debian: apt-get install libstdc++-arm-none-eabi-dev")
endif()
list(GET cxx_headers -1 cxx_configuration)
string(REGEX REPLACE "/arm-none-eabi/.*" "" cxx_headers ${cxx_configuration})

foreach(language C CXX)
  # This ISA specification has the control and status registers in its base, as the names of picolibc's folders do.
  set(CMAKE_${language}_FLAGS_INIT "-march=rv32imac -mabi=ilp32 -misa-spec=2.2")
  # For toolchains/stack-bound: addr2line 2.40 takes file 0 for file 1, with which each line program of DWARF 5 begins.
  set(CMAKE_${language}_FLAGS_MINSIZEREL_INIT "-gdwarf-4 -fmerge-all-constants -msave-restore")
endforeach()
# The order matters, because headers of C++ include headers of C.
set(CMAKE_CXX_FLAGS_INIT "-isystem ${cxx_headers} -isystem ${cxx_configuration} --specs=picolibc.specs ${CMAKE_CXX_FLAGS_INIT}")
set(CMAKE_C_FLAGS_INIT "--specs=picolibc.specs ${CMAKE_C_FLAGS_INIT}")

# The C driver links: "no C++ runtime" is a fact of the link.
set(CMAKE_CXX_LINK_EXECUTABLE
  "${CMAKE_C_COMPILER} <FLAGS> <CMAKE_CXX_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
