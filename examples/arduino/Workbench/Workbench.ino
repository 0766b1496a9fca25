// SPDX-License-Identifier: Apache-2.0
// A workbench for AI clients on Serial, which is the USB cable of most boards: a model uses the pins and the I2C bus,
// within what the table allows. A pin goes back to rest when its time is over, and when its client is gone.
//
// Wiring: SDA and SCL of an LM75 or BME280 module to the pins with these names, an LED with a resistor of 330 ohms at
// pin 13, a MOSFET or relay module at pin 14, a button from pin 15 to GND. Change the table to what you have wired.
#include <Wire.h>
#include <mote.h>
#include <mote_pins.h>
#include <mote_wire.h>

#include <mcp/devices/bme280.hpp>
#include <mcp/devices/lm75.hpp>
#include <mcp/workbench.hpp>

#ifdef MOTE_NO_SERIAL
#error "This board has no Serial. In the menu Tools, choose a generic 'Serial', or put the name of another port for it."
#endif

mcp::Pins& pins() {
  static mcp::arduino::ChipPins chip{3300};  // the voltage of the board in millivolts
  return chip;
}
mcp::I2cBus& i2c() {
  static mcp::arduino::WireBus bus{Wire};
  return bus;
}
mcp::Millis now() { return millis(); }

constexpr mcp::MeasureOptions each_second{.now = now};
constinit mcp::Measured<mcp::Lm75, each_second> lm75{i2c, 0x48};
constinit mcp::Measured<mcp::Bme280, each_second> bme280{i2c, 0x76};
constexpr mcp::WorkbenchReading readings[] = {
    {.name = "lm75_temperature", .sensor = &lm75, .quantity = mcp::Lm75::temperature, .hold_to = 60},
    {.name = "bme280_temperature", .sensor = &bme280, .quantity = mcp::Bme280::temperature, .hold_to = 60},
    {.name = "bme280_humidity", .sensor = &bme280, .quantity = mcp::Bme280::humidity},
};

using mcp::PinUse;
constexpr mcp::WorkbenchPin table[] = {
    {.name = "D13", .number = 13, .uses = PinUse::output, .rest = mcp::PinRest::low, .note = "for an LED"},
    {.name = "D14",
     .number = 14,
     .uses = PinUse::output | PinUse::hold,
     .rest = mcp::PinRest::low,
     .note = "for a MOSFET or relay",
     .away_ms = 600'000,
     .rest_ms = 2'000,
     .budget = {.away_ms = 1'800'000, .window_ms = 3'600'000}},
    {.name = "D15",
     .number = 15,
     .uses = PinUse::input | PinUse::capture,
     .pull = mcp::PinPull::up,
     .note = "for a button to ground"},
};
constexpr mcp::I2cRule rules[] = {
    {.first = 0x50, .last = 0x57, .access = mcp::I2cAccess::read, .register_bytes = 1, .note = "memory"}};
constexpr mcp::WorkbenchOptions options{.pins = table,
                                        .chip = pins,
                                        .now = now,
                                        .i2c = i2c,
                                        .i2c_rules = rules,
                                        .readings = readings,
                                        .holds = 1,
                                        .watch_values = 32,
                                        .capture_edges = 64};
constinit mcp::Workbench<options> bench;

constexpr mcp::Definition definition{.name = "workbench",
                                     .version = "1.0.0",
                                     .tools = mcp::workbench_tools<bench>,
                                     .resources = mcp::workbench_resources<bench>,
                                     .audit = mcp::workbench_audit<bench>};
constexpr mcp::Limits limits{.transmit_size = 6144, .tools_in_one_page = true, .jobs = 1, .client_info_size = 32};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage, {.boot_id = mcp::arduino::boot_id}};

mcp::arduino::StreamPort wire{Serial};
mcp::StdioTransport transport{server, wire};

void setup() {
  bench.begin();
  Wire.begin();
  Serial.begin(115200);
}

void loop() {
  mcp::arduino::poll(transport);
  bench.poll(server, &mcp::workbench_resources<bench>[1]);
}
