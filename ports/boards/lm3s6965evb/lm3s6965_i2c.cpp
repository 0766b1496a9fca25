// SPDX-License-Identifier: Apache-2.0
// The I2C0 controller, polled, with a time limit for each transaction. Knows no device on the bus.
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
constexpr std::uint32_t status_busy = bit(0);     // The other bits are not valid
constexpr std::uint32_t status_error = bit(1);    // One of the next three
constexpr std::uint32_t status_address = bit(2);  // No device acknowledged the address
constexpr std::uint32_t status_lost = bit(4);     // Arbitration
constexpr std::uint32_t status_taken = bit(6);    // The bus is busy: there was a start, and no stop
constexpr std::uint32_t master_enable = bit(4);

constexpr std::uint32_t clock_line = bit(2);  // PB2
constexpr std::uint32_t data_line = bit(3);   // PB3
constexpr std::uint32_t lines = clock_line | data_line;
constexpr std::uint32_t bus_hz = 100'000;

constexpr std::uint16_t most_wait_ms = 5;
constexpr std::size_t bytes_per_ms = 11;  // 9 bits each

bool are_high(std::uint32_t which) { return reg(gpio_data(gpio_b, which)) == which; }

void connect_lines() {
  clock_on(sysctl_rcgc2, rcgc2_port_b);
  reg(gpio_b + gpio_odr) |= lines;
  reg(gpio_b + gpio_den) |= lines;
}

void switch_on() {
  clock_on(sysctl_rcgc1, rcgc1_i2c0);
  connect_lines();
  reg(gpio_b + gpio_afsel) |= lines;
  reg(mcr) = master_enable;
  reg(mtpr) = core_clock_hz / (20 * bus_hz) - 1;  // SCL_PERIOD = 2 x (1 + TPR) x (6 + 4) clocks
}

// The next transaction switches the controller on again.
void switch_off() {
  reg(sysctl_srcr1) = rcgc1_i2c0;
  reg(sysctl_srcr1) = 0;
  reg(sysctl_rcgc1) &= ~rcgc1_i2c0;
}

class Transaction {
 public:
  explicit Transaction(std::size_t bytes)
      : most_ms_(most_wait_ms + static_cast<mcp::Millis>(bytes / bytes_per_ms)), were_high_(are_high(lines)) {}

  /// One byte on the bus, with a start before it or a stop after it. After an error the bus is free again, as far as
  /// the controller can free it.
  mcp::BusError step(std::uint32_t control) {
    const std::uint32_t status = run(control);
    if ((status & status_busy) != 0) {
      switch_off();  // only a reset ends a byte that does not end
      return were_high_ ? mcp::BusError::too_late : mcp::BusError::stuck;
    }
    if ((status & (status_error | status_lost)) == 0) return mcp::BusError::none;
    if ((status & status_lost) != 0) {
      // For a device that does not exist, the emulator reports a lost arbitration on a free bus.
      if ((status & status_taken) == 0) return mcp::BusError::no_device;
      return were_high_ ? mcp::BusError::arbitration_lost : mcp::BusError::stuck;
    }
    if ((control & control_stop) == 0) static_cast<void>(run(control_stop));
    return (status & status_address) != 0 ? mcp::BusError::no_device : mcp::BusError::data_refused;
  }

 private:
  // Returns the status, which is busy if the time is over.
  std::uint32_t run(std::uint32_t control) const {
    reg(mcs) = control;
    for (;;) {
      const bool is_over = millis() - start_ms_ >= most_ms_;
      const std::uint32_t status = reg(mcs);
      if ((status & status_busy) == 0 || is_over) return status;
    }
  }

  mcp::Millis start_ms_ = millis();
  mcp::Millis most_ms_;
  bool were_high_;
};

// Only these lines are low for half a clock of 100 kHz. The others are high through their pull-ups, if no device pulls
// them. A turn takes at least 4 cycles.
void pull(std::uint32_t low) {
  reg(gpio_b + gpio_dir) = (reg(gpio_b + gpio_dir) & ~lines) | low;
  reg(gpio_data(gpio_b, lines)) = 0;
  for (std::uint32_t turns = 0; turns < core_clock_hz / (2 * bus_hz) / 4; ++turns) static_cast<void>(are_high(lines));
}

class I2c0 final : public mcp::I2cBus {
 public:
  // The clock counts whole milliseconds. The emulated controller has no repeated start.
  constexpr I2c0() : I2cBus({.most_bytes = 0xFFFF, .limit_ms = most_wait_ms + 1, .stops_between = true}) {}

 private:
  mcp::BusError do_transfer(std::uint8_t address, std::span<const std::uint8_t> out,
                            std::span<std::uint8_t> in) override;
  bool do_recover() override;
};

mcp::BusError I2c0::do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) {
  if ((reg(sysctl_rcgc1) & rcgc1_i2c0) == 0) switch_on();
  Transaction transaction(out.size() + in.size() + 2);
  for (const std::uint32_t direction : {std::uint32_t{0}, receive}) {
    const std::size_t size = direction == receive ? in.size() : out.size();
    reg(msa) = static_cast<std::uint32_t>(address) << 1 | direction;
    std::uint32_t control = control_start | control_run;
    for (std::size_t i = 0; i < size; ++i) {
      if (direction != receive) reg(mdr) = out[i];
      // The acknowledgement is of a received byte.
      const mcp::BusError error = transaction.step(control | (i + 1 == size ? control_stop : control_ack));
      if (error != mcp::BusError::none) return error;
      if (direction == receive) in[i] = static_cast<std::uint8_t>(reg(mdr));
      control = control_run;
    }
  }
  return mcp::BusError::none;
}

bool I2c0::do_recover() {
  switch_off();
  connect_lines();
  reg(gpio_b + gpio_afsel) &= ~lines;
  mcp::detail::free_data_line([](bool data, bool clock) { pull((data ? data_line : 0) | (clock ? clock_line : 0)); },
                              [] { return are_high(data_line); });
  return are_high(lines);
}

// Its functions change registers alone, so it takes no RAM.
constexpr I2c0 the_i2c0;

}  // namespace

mcp::I2cBus& i2c0() { return const_cast<I2c0&>(the_i2c0); }  // NOLINT(cppcoreguidelines-pro-type-const-cast)

}  // namespace board
