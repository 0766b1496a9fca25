// SPDX-License-Identifier: Apache-2.0
// The TMP105 temperature sensor (TI SBOS219). Knows I2C transactions, but not the bus.
#include "mcp/ports/lm3s6965evb.hpp"

namespace board {
namespace {

constexpr std::uint8_t address = 0x48;  // A0 low
constexpr std::uint8_t temperature_register = 0;
constexpr std::uint8_t configuration_register = 1;
constexpr std::uint8_t resolution_12_bits = 3 << 5;

bool is_set_up;  // The sensor powers up with 9 bits. A lost one may have lost its power, and with it the setting.

bool set_up() {
  constexpr std::uint8_t configuration[] = {configuration_register, resolution_12_bits};
  return i2c0().write(address, configuration) == mcp::BusError::none;
}

}  // namespace

bool read_millidegrees(std::int32_t& millidegrees) {
  if (!is_set_up) is_set_up = set_up();
  constexpr std::uint8_t out[] = {temperature_register};
  std::uint8_t in[2];
  is_set_up = is_set_up && i2c0().transfer(address, out, in) == mcp::BusError::none;
  if (!is_set_up) return false;

  // Signed 256ths of a degree; 1000 / 256 = 125 / 32, rounded. The right shift of a negative number rounds down.
  const auto degrees_256 = static_cast<std::int16_t>(in[0] << 8 | in[1]);
  millidegrees = (degrees_256 * 125 + 16) >> 5;
  return true;
}

}  // namespace board
