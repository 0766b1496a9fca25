# SPDX-License-Identifier: Apache-2.0
# The instruction set of an ESP32-C3.
include(${CMAKE_CURRENT_LIST_DIR}/../../../toolchains/riscv32.cmake)
string(REPLACE rv32imac rv32imc CMAKE_CXX_FLAGS_INIT "${CMAKE_CXX_FLAGS_INIT}")
set(chip riscv32imc)
