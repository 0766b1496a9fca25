// SPDX-License-Identifier: Apache-2.0
// All sensors of the devicetree that have a driver of Zephyr, and an LM75 with a driver of mote. Each is a resource and
// a tool. The overlay of the board has the UART, `mote,uart`, and the bus of the LM75, `mote-bus`.
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/ports/zephyr.hpp>
#include <mcp/ports/zephyr_i2c.hpp>
#include <mcp/ports/zephyr_sensors.hpp>
#include <mcp/read_tools.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include <zephyr/devicetree.h>

namespace {

#ifdef CONFIG_UART_INTERRUPT_DRIVEN
mcp::zephyr::Uart uart(DEVICE_DT_GET(DT_CHOSEN(mote_uart)));
#else
mcp::zephyr::PolledUart uart(DEVICE_DT_GET(DT_CHOSEN(mote_uart)));
#endif

// The sensors that Zephyr drives, at most 8.
mcp::zephyr::DeviceSensors<8> sensors;
constexpr mcp::FoundResources sensor_rows = mcp::zephyr::sensor_rows<sensors>();
constexpr mcp::FoundTools sensor_tools = mcp::zephyr::sensor_tools<sensors>();

// A sensor that mote drives: a line for the sensor, and one for its row.
mcp::I2cBus& bus() {
  static mcp::zephyr::I2c i2c(DEVICE_DT_GET(DT_ALIAS(mote_bus)));
  return i2c;
}
constexpr mcp::MeasureOptions each_second{.now = mcp::zephyr::millis};
constinit mcp::Measured<mcp::Lm75, each_second> board_temperature{bus, 0x48};
constexpr mcp::Resource resources[] = {
    mcp::sensor<board_temperature>({.uri = "sensor://board", .name = "board", .subscribable = true, .as_tool = true})};
constexpr mcp::SensorRow rows[] = {{&board_temperature, &resources[0]}};

constexpr mcp::Definition definition{.name = "sensors",
                                     .version = "1.0.0",
                                     .tools = mcp::tools_of<resources>,
                                     .resources = resources,
                                     .found_resources = sensor_rows,
                                     .found_tools = sensor_tools,
                                     .list_changes = true};
constexpr mcp::Limits limits{.receive_size = 2048, .transmit_size = 2048};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage};

}  // namespace

int main() {
  sensors.add_all();
  mcp::StdioTransport transport{server, uart};
  for (;;) {
    const mcp::Millis sensors_ms = std::min(sensors.poll(server), mcp::poll_sensors(rows, server));
    mcp::zephyr::wait_for_event(std::min(sensors_ms, transport.poll(mcp::zephyr::millis())));
  }
}
