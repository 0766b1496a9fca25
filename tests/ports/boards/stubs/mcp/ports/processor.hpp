// SPDX-License-Identifier: Apache-2.0
// The processor of the tests: each register is the one of a chip that the test imitates.
#pragma once

#include <cstdint>

namespace board {

std::uint32_t read_register(std::uint32_t address);
void write_register(std::uint32_t address, std::uint32_t value);

struct Register {
  std::uint32_t address;

  operator std::uint32_t() const { return read_register(address); }
  void operator=(std::uint32_t value) const { write_register(address, value); }
  void operator|=(std::uint32_t bits) const { write_register(address, read_register(address) | bits); }
  void operator&=(std::uint32_t bits) const { write_register(address, read_register(address) & bits); }
};

inline Register reg(std::uint32_t address) { return {address}; }
constexpr std::uint32_t bit(unsigned number) { return std::uint32_t{1} << number; }

struct InterruptsOff {
  InterruptsOff() {}
  ~InterruptsOff() {}
};

}  // namespace board
