// SPDX-License-Identifier: Apache-2.0
// The I2C0 master, polled, every wait bounded. No repeated start, which the emulated board does not have. Knows no
// device on the bus.
#include <mcp/assert.hpp>

#include "mcp/ports/lm3s6965evb.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_registers.hpp"

namespace board {
namespace {

// "Inter-Integrated Circuit (I2C) Interface", I2C master registers of block 0.
constexpr std::uint32_t msa = 0x4002'0000;   // Device address, and bit 0: receive
constexpr std::uint32_t mcs = 0x4002'0004;   // Control when written, status when read
constexpr std::uint32_t mdr = 0x4002'0008;   // Data
constexpr std::uint32_t mtpr = 0x4002'000C;  // Timer period
constexpr std::uint32_t mcr = 0x4002'0020;   // Configuration

constexpr std::uint32_t receive = bit(0);
constexpr std::uint32_t control_run = bit(0);
constexpr std::uint32_t control_start = bit(1);
constexpr std::uint32_t control_stop = bit(2);
constexpr std::uint32_t control_ack = bit(3);
constexpr std::uint32_t status_busy = bit(0);
constexpr std::uint32_t status_error = bit(1);
constexpr std::uint32_t status_lost = bit(4);  // Another master won, or the bus is held low
constexpr std::uint32_t master_enable = bit(4);

constexpr std::uint32_t pins = bit(2) | bit(3);  // PB2 = SCL, PB3 = SDA
constexpr std::uint32_t bus_hz = 100'000;

// A byte takes 100 us at 100 kHz, and a device may stretch it. One poll takes 5 to 12 cycles: 2 to 5 ms.
constexpr std::uint32_t busy_polls = 20'000;

void switch_on() {
  clock_on(sysctl_rcgc1, rcgc1_i2c0);
  clock_on(sysctl_rcgc2, rcgc2_port_b);
  reg(gpio_b + gpio_afsel) |= pins;
  reg(gpio_b + gpio_odr) |= pins;
  reg(gpio_b + gpio_den) |= pins;
  reg(mcr) = master_enable;
  reg(mtpr) = core_clock_hz / (20 * bus_hz) - 1;  // SCL_PERIOD = 2 x (1 + TPR) x (6 + 4) clocks
}

/// One step on the bus. False on an error; the bus is then free again, as far as we can free it.
bool step(std::uint32_t control) {
  reg(mcs) = control;
  for (std::uint32_t polls = 0; polls < busy_polls; ++polls) {
    const std::uint32_t status = reg(mcs);
    if ((status & status_busy) != 0) continue;
    if ((status & (status_error | status_lost)) == 0) return true;
    if ((status & status_lost) == 0 && (control & control_stop) == 0) reg(mcs) = control_stop;
    return false;
  }
  // The bus is stuck within a byte. Only a reset leaves this state, so the next transaction switches the controller on
  // again.
  reg(sysctl_srcr1) = rcgc1_i2c0;
  reg(sysctl_srcr1) = 0;
  reg(sysctl_rcgc1) &= ~rcgc1_i2c0;
  return false;
}

}  // namespace

bool i2c_write(std::uint8_t address, std::span<const std::uint8_t> bytes) {
  MCP_ASSERT(!bytes.empty());
  if ((reg(sysctl_rcgc1) & rcgc1_i2c0) == 0) switch_on();
  reg(msa) = static_cast<std::uint32_t>(address) << 1;
  std::uint32_t start = control_start;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    reg(mdr) = bytes[i];
    if (!step(start | control_run | (i + 1 == bytes.size() ? control_stop : 0))) return false;
    start = 0;
  }
  return true;
}

bool i2c_read(std::uint8_t address, std::span<std::uint8_t> bytes) {
  MCP_ASSERT(!bytes.empty());
  if ((reg(sysctl_rcgc1) & rcgc1_i2c0) == 0) switch_on();
  reg(msa) = static_cast<std::uint32_t>(address) << 1 | receive;
  std::uint32_t start = control_start;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!step(start | control_run | (i + 1 == bytes.size() ? control_stop : control_ack))) return false;
    bytes[i] = static_cast<std::uint8_t>(reg(mdr));
    start = 0;
  }
  return true;
}

}  // namespace board
