# SPDX-License-Identifier: Apache-2.0
# CMake toolchain: bare-metal Cortex-M3 with arm-none-eabi GCC and newlib. Knows the processor, no board.
set(CMAKE_SYSTEM_PROCESSOR cortex-m3)
set(processor "-mcpu=cortex-m3")
include(${CMAKE_CURRENT_LIST_DIR}/arm-cortex-m.cmake)
