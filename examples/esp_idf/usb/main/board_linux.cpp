// SPDX-License-Identifier: Apache-2.0
// The target linux: stdin and stdout, and a simulated sensor that the LED warms. No interrupt wakes the task, so it
// looks for bytes every 10 ms.
#include "board.hpp"

#include <mcp/ports/fake_i2c.hpp>
#include <mcp/ports/posix.hpp>

namespace board {
namespace {

constexpr std::uint16_t cool = 0x1580;  // 21.5 degrees in the register of an LM75
constexpr std::uint16_t warm = 0x1E80;  // 30.5 degrees

mcp::FakeWords lm75{0x48, 1};
mcp::FakeI2cDevice* const devices[] = {&lm75};
mcp::FakeTransaction log_[1];
mcp::FakeI2c i2c{devices, log_};

}  // namespace

const mcp::Millis longest_sleep_ms = 10;

mcp::ByteStream& open_stream() {
  static mcp::posix::Stdio stream;
  set_led(false);
  return stream;
}

mcp::I2cBus& bus() { return i2c; }

void set_led(bool on) { lm75[0] = on ? warm : cool; }

void start_watchdog() {}
void feed_watchdog() {}

}  // namespace board
