// SPDX-License-Identifier: Apache-2.0
// The LM3S6965EVB for the thermometer: a TMP105 on the I2C bus, and the LED of the board.
#include <mcp/devices/lm75.hpp>
#include <mcp/ports/lm3s6965evb.hpp>

#include "device.hpp"

namespace device {
namespace {

constinit mcp::Tmp105 sensor{board::i2c0, 0x48};
bool has_started;
mcp::Millis set_up_ms;      // when the sensor was set up
mcp::Millis conversion_ms;  // and how long its first conversion takes; 0: it has a value

bool is_converting() { return board::millis() - set_up_ms < conversion_ms; }

}  // namespace

const std::string_view hardware = "LM3S6965EVB";

mcp::Millis now() { return board::millis(); }
std::uint32_t boot_id() { return board::boot_id(); }

bool read_millidegrees(std::int32_t& value) {
  const mcp::Sensor::Begun begun = sensor.begin();
  if (begun.ready_ms != 0) {
    set_up_ms = board::millis();
    conversion_ms = begun.ready_ms;
  }
  // At the start, no client waits. A sensor that is plugged in later has no value in the next samples.
  while (!has_started && is_converting()) continue;
  has_started = true;
  if (begun.error || is_converting()) return false;
  conversion_ms = 0;
  if (sensor.collect()) return false;
  value = sensor.value(mcp::Tmp105::temperature) * 10;
  return true;
}

void led(bool on) { board::led(on); }

}  // namespace device
