// SPDX-License-Identifier: Apache-2.0
// An LM75 and a BME280 on I2C0 (GPIO 4 and 5) as rows. The client is on UART0.
#include <mcp/devices/bme280.hpp>
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/ports/pico.hpp>
#include <mcp/ports/pico_i2c.hpp>
#include <mcp/read_tools.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include <hardware/i2c.h>

namespace {

mcp::I2cBus& bus() {
  static mcp::pico::I2c i2c{i2c0, 4, 5};
  return i2c;
}

constexpr mcp::MeasureOptions often{.now = mcp::pico::millis, .interval_ms = 100};
constinit mcp::Measured<mcp::Lm75, often> room{bus, 0x48};
constinit mcp::Measured<mcp::Bme280, often> air{bus, 0x76};

constexpr mcp::Resource resources[] = {
    mcp::sensor<room>({.uri = "sensor://room", .name = "room", .title = "Room", .subscribable = true}),
    mcp::sensor<air>({.uri = "sensor://air", .name = "air", .title = "Air", .as_tool = true}),
};
constexpr mcp::SensorRow rows[] = {{&room, &resources[0]}, {&air}};
constexpr mcp::Definition definition{
    .name = "sensors", .version = "1.0.0", .tools = mcp::tools_of<resources>, .resources = resources};
constexpr mcp::Limits limits{.receive_size = 1024, .transmit_size = 1024};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage, {.boot_id = mcp::pico::boot_id}};

}  // namespace

int main() {
  mcp::pico::Uart uart(uart0, 0, 1);
  mcp::StdioTransport transport{server, uart};
  for (;;) {
    const mcp::Millis sensors_ms = mcp::poll_sensors(rows, server);
    mcp::pico::wait_for_event(std::min(sensors_ms, transport.poll(mcp::pico::millis())));
  }
}
