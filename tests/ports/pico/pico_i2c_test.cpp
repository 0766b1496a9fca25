// SPDX-License-Identifier: Apache-2.0
// The I2C bus of the pico-sdk, with functions that behave as i2c_write_blocking_internal() and
// i2c_read_blocking_internal() of src/rp2_common/hardware_i2c/i2c.c in pico-sdk 2.1.1.
#include "mcp/ports/pico_i2c.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/hex.hpp"

#include <hardware/gpio.h>
#include <hardware/i2c.h>
#include <pico/error.h>
#include <pico/time.h>

i2c_inst_t i2c0_inst;

namespace {

using mcp::BusError;
using test::hex;

constexpr unsigned data_pin = 4;
constexpr unsigned clock_pin = 5;
constexpr std::uint8_t sensor = 0x48;

struct Pin {
  bool is_i2c = false;
  bool is_pulled_up = false;
  bool is_driven = false;  // low, as an output
};

struct Chip {
  std::map<unsigned, Pin> pins;
  unsigned resets = 0;
  unsigned hz = 0;
  bool hangs = false;              // after a timeout, until a reset
  std::size_t acknowledges = 999;  // bytes of a write
  bool loses_arbitration = false;
  bool holds_clock = false;  // during a transaction
  bool is_data_low = false;
  bool is_clock_low = false;
  int pulses = 0;
  int pulses_to_release = 0;
  int stops = 0;
  unsigned limit_us = 0;
  std::string log;
};
Chip chip;

bool is_high(unsigned pin) {
  const bool is_held = pin == data_pin ? chip.is_data_low : chip.is_clock_low;
  return chip.pins[pin].is_pulled_up && !chip.pins[pin].is_driven && !is_held;
}

// What both functions do before the first byte. Returns an error, or 0.
int begin(i2c_inst_t* i2c, std::uint8_t address, std::size_t size, bool is_read) {
  EXPECT_EQ(i2c, &i2c0_inst);
  EXPECT_TRUE(mcp::is_device_address(address) && size != 0) << "an assertion of the SDK";
  EXPECT_TRUE(chip.pins[data_pin].is_i2c && chip.pins[clock_pin].is_i2c);
  EXPECT_FALSE(chip.hangs) << "the controller is in the transaction that had no end";
  chip.log += (i2c->restart_on_next ? "r" : "s") + hex(address) + (is_read ? "R" : "W");
  if (chip.is_data_low || chip.is_clock_low || chip.holds_clock) {
    chip.hangs = true;
    return PICO_ERROR_TIMEOUT;
  }
  return address == sensor && !chip.loses_arbitration ? PICO_OK : PICO_ERROR_GENERIC;
}

class PicoI2c : public testing::Test {
 protected:
  PicoI2c() {
    chip = {};
    i2c0_inst = {};
  }

  static constexpr std::uint8_t three[] = {0x05, 0x11, 0x12};
  std::uint8_t in_[2] = {};
  mcp::pico::I2c bus_{&i2c0_inst, data_pin, clock_pin};
};

TEST_F(PicoI2c, SwitchesTheControllerOnOnce) {
  EXPECT_EQ(chip.resets, 0U);
  EXPECT_EQ(bus_.write(sensor, three), BusError::none);
  EXPECT_EQ(bus_.write(sensor, three), BusError::none);
  EXPECT_EQ(chip.resets, 1U);
  EXPECT_EQ(chip.hz, 100'000U);
  EXPECT_TRUE(chip.pins[data_pin].is_pulled_up && chip.pins[clock_pin].is_pulled_up);
}

TEST_F(PicoI2c, WritesAndReadsWithARepeatedStart) {
  EXPECT_EQ(bus_.transfer(sensor, three, in_), BusError::none);
  EXPECT_EQ(chip.log, "s48W 05 11 12 r48R a0 a1 p ");
  EXPECT_EQ(in_[1], 0xA1);
  chip.log.clear();
  EXPECT_EQ(bus_.write(sensor, three), BusError::none);
  EXPECT_EQ(bus_.read(sensor, in_), BusError::none);
  EXPECT_EQ(chip.log, "s48W 05 11 12 p s48R a0 a1 p ");
}

TEST_F(PicoI2c, LimitsTheTimeByTheNumberOfBytes) {
  EXPECT_EQ(bus_.write(sensor, three), BusError::none);
  EXPECT_EQ(chip.limit_us, 5'000U + 4 * 90);
  std::array<std::uint8_t, 999> many{};
  EXPECT_EQ(bus_.read(sensor, many), BusError::none);
  EXPECT_EQ(chip.limit_us, 5'000U + 1'000 * 90);
  mcp::pico::I2c fast{&i2c0_inst, data_pin, clock_pin, 1'000'000};
  EXPECT_EQ(fast.read(sensor, many), BusError::none);
  EXPECT_EQ(chip.limit_us, 5'000U + 1'000 * 9);
}

TEST_F(PicoI2c, ReportsAMissingDevice) {
  EXPECT_EQ(bus_.transfer(0x50, three, in_), BusError::no_device);
  EXPECT_EQ(bus_.read(0x50, in_), BusError::no_device);
  chip.log.clear();
  EXPECT_EQ(bus_.probe(sensor), BusError::none);
  EXPECT_EQ(chip.log, "s48R a0 p ") << "the controller forgets the transaction that failed";
}

TEST_F(PicoI2c, ReportsALostArbitrationAsAMissingDevice) {
  chip.loses_arbitration = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::no_device);
}

TEST_F(PicoI2c, ReportsAByteThatTheDeviceRefuses) {
  for (const std::size_t bytes : {0U, 1U, 2U}) {
    chip.acknowledges = bytes;
    EXPECT_EQ(bus_.transfer(sensor, three, in_), BusError::data_refused) << bytes;
  }
}

TEST_F(PicoI2c, ResetsTheControllerAfterADeviceHeldTheClock) {
  chip.holds_clock = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::too_late);
  EXPECT_EQ(bus_.read(sensor, in_), BusError::too_late);
  chip.holds_clock = false;
  EXPECT_EQ(bus_.write(sensor, three), BusError::none);
  EXPECT_EQ(chip.resets, 3U);
}

TEST_F(PicoI2c, RecoversFromADeviceThatHoldsTheDataLine) {
  chip.is_data_low = true;
  chip.pulses_to_release = 4;
  EXPECT_EQ(bus_.transfer(sensor, three, in_), BusError::none);
  EXPECT_EQ(chip.pulses, 5) << "four, and the one of the stop";
  EXPECT_EQ(chip.stops, 1);
}

TEST_F(PicoI2c, ReportsALineThatStaysLow) {
  chip.is_data_low = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::stuck);
  EXPECT_EQ(chip.pulses, 10) << "nine, and the one of the stop";
  chip.is_data_low = false;
  chip.is_clock_low = true;
  EXPECT_EQ(bus_.read(sensor, in_), BusError::stuck);
  chip.is_clock_low = false;
  EXPECT_TRUE(bus_.recover());
  EXPECT_EQ(bus_.write(sensor, three), BusError::none);
}

TEST_F(PicoI2c, RejectsWhatTheSdkRejects) {
  EXPECT_EQ(bus_.probe(0x07), BusError::unsupported);
  EXPECT_EQ(bus_.probe(0x78), BusError::unsupported);
  EXPECT_EQ(bus_.write(sensor, {}), BusError::unsupported);
  const std::vector<std::uint8_t> many(0x10000);
  EXPECT_EQ(bus_.write(sensor, many), BusError::too_long);
}

}  // namespace

extern "C" {
unsigned i2c_init(i2c_inst_t* i2c, unsigned baudrate) {
  ++chip.resets;
  chip.hangs = false;
  chip.hz = baudrate;
  i2c->restart_on_next = false;
  return baudrate;
}
int i2c_write_timeout_us(i2c_inst_t* i2c, uint8_t addr, const uint8_t* src, size_t len, bool nostop,
                         unsigned timeout_us) {
  chip.limit_us = timeout_us;
  int result = begin(i2c, addr, len, false);
  for (size_t i = 0; result >= 0 && i < len && i < chip.acknowledges; ++i) {
    chip.log += " " + hex(src[i]);
    result = static_cast<int>(i) + 1;
  }
  chip.log += nostop ? " " : " p ";
  i2c->restart_on_next = nostop;
  return result;
}
int i2c_read_timeout_us(i2c_inst_t* i2c, uint8_t addr, uint8_t* dst, size_t len, bool nostop, unsigned timeout_us) {
  chip.limit_us = timeout_us;
  const int result = begin(i2c, addr, len, true);
  for (size_t i = 0; result == PICO_OK && i < len; ++i) {
    dst[i] = static_cast<uint8_t>(0xA0 + i);
    if (i < 2) chip.log += " " + hex(dst[i]);
  }
  chip.log += " p ";
  i2c->restart_on_next = nostop;
  return result == PICO_OK ? static_cast<int>(len) : result;
}
void gpio_set_function(unsigned gpio, gpio_function_t fn) {
  chip.pins[gpio].is_i2c = fn == GPIO_FUNC_I2C;
  chip.pins[gpio].is_driven = false;
}
void gpio_pull_up(unsigned gpio) { chip.pins[gpio].is_pulled_up = true; }
void gpio_init(unsigned gpio) {
  chip.pins[gpio].is_i2c = false;
  chip.pins[gpio].is_driven = false;
}
void gpio_set_dir(unsigned gpio, bool out) {
  EXPECT_FALSE(chip.pins[gpio].is_i2c);
  const bool was_data_high = is_high(data_pin);
  const bool falls = out && !chip.pins[gpio].is_driven;
  chip.pins[gpio].is_driven = out;
  if (gpio == clock_pin && falls && ++chip.pulses == chip.pulses_to_release) chip.is_data_low = false;
  if (!was_data_high && is_high(data_pin) && is_high(clock_pin) && gpio == data_pin) ++chip.stops;
}
bool gpio_get(unsigned gpio) { return is_high(gpio); }
void busy_wait_us_32(uint32_t) {}
}
