# SPDX-License-Identifier: Apache-2.0
# CMake toolchain: bare-metal Cortex-M4 with a floating-point unit for float, with arm-none-eabi GCC and newlib. Floats are
# passed in its registers (the hard-float ABI). Knows the processor, no board.
set(CMAKE_SYSTEM_PROCESSOR cortex-m4)
set(processor "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard")
include(${CMAKE_CURRENT_LIST_DIR}/arm-cortex-m.cmake)
