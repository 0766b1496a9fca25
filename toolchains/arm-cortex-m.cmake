# SPDX-License-Identifier: Apache-2.0
# The common part of the toolchain files for a Cortex-M: arm-none-eabi GCC and newlib, with the options of ${processor}.
set(CMAKE_SYSTEM_NAME Generic)

set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)

# Without a board's linker script nothing links: CMake's own compiler checks stop at a library.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "${processor} -mthumb")
  # -g costs no flash: what it adds stays in the ELF file.
  # The two passes switched off keep more values in registers across loops than a Cortex-M3 has: 0.5 % more code.
  # Equal constants may share an address, so that a constant local to a function need not be built on the stack: 1 %.
  set(CMAKE_${language}_FLAGS_MINSIZEREL_INIT
    "-g -fno-move-loop-invariants -fno-schedule-insns2 -fmerge-all-constants")
endforeach()
# The linker optimizes a whole image at once instead of in parts side by side: up to 0.4 % less code.
set(CMAKE_EXE_LINKER_FLAGS_MINSIZEREL_INIT "-flto-partition=one")
# GCC need not report that it changed an ABI in version 7.1, because one compiler builds everything.
string(APPEND CMAKE_CXX_FLAGS_INIT " -Wno-psabi")

# The C driver links, so libstdc++ and libsupc++ are not searched, and no image contains the C++ runtime. There is no
# specs file with empty system calls (nosys.specs) either: code that needs an operating system does not link.
set(CMAKE_CXX_LINK_EXECUTABLE
  "${CMAKE_C_COMPILER} <FLAGS> <CMAKE_CXX_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
