// SPDX-License-Identifier: Apache-2.0
// A temperature sensor on I2C for AI clients on Serial, which is the USB cable of most boards. Clients read the resource
// sensor://room, subscribe to it, or call the tool `read_room`.
//
// Wiring: an LM75 module. VCC to 3V3, GND to GND, SDA and SCL to the pins with these names, A0 to A2 to GND.
// For a BME280: #include <mcp/devices/bme280.hpp>, and mcp::Bme280 with the address 0x76.
#include <Wire.h>
#include <mote.h>
#include <mote_wire.h>

#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/read_tools.hpp>

#ifdef MOTE_NO_SERIAL
#error "This board has no Serial. In the menu Tools, choose a generic 'Serial', or put the name of another port for it."
#endif

mcp::I2cBus& i2c() {
  static mcp::arduino::WireBus bus{Wire};
  return bus;
}
mcp::Millis now() { return millis(); }

// The sensor, its row, and what is updated after each measurement.
constexpr mcp::MeasureOptions each_second{.now = now, .interval_ms = 1000};
constinit mcp::Measured<mcp::Lm75, each_second> room{i2c, 0x48};
constexpr mcp::Resource resources[] = {mcp::sensor<room>({.uri = "sensor://room",
                                                          .name = "room",
                                                          .title = "Room",
                                                          .description = "The temperature of the room.",
                                                          .subscribable = true,
                                                          .as_tool = true})};
constexpr mcp::SensorRow sensors[] = {{&room, &resources[0]}};

constexpr mcp::Definition definition{.name = "sensor",
                                     .version = "1.0.0",
                                     .tools = mcp::tools_of<resources>,
                                     .resources = resources,
                                     .subscriptions = true};
constinit mcp::Storage<definition, mcp::Limits{.subscriptions = 2}> storage;
constinit const mcp::Server server{storage, {.boot_id = mcp::arduino::boot_id}};

mcp::arduino::StreamPort wire{Serial};
mcp::StdioTransport transport{server, wire};

void setup() {
  Wire.begin();
  Serial.begin(115200);
}

void loop() {
  mcp::poll_sensors(sensors, server);
  mcp::arduino::poll(transport);
}
