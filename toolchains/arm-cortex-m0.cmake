# SPDX-License-Identifier: Apache-2.0
# CMake toolchain: bare-metal Cortex-M0 with arm-none-eabi GCC and newlib. Knows the processor, no board.
set(CMAKE_SYSTEM_PROCESSOR cortex-m0)
set(processor "-mcpu=cortex-m0")
include(${CMAKE_CURRENT_LIST_DIR}/arm-cortex-m.cmake)
