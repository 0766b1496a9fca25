// SPDX-License-Identifier: Apache-2.0
// An LM75 at 0x48 as a resource, as a tool, and with its last values. For ESP-IDF 5.5 or newer, and a chip with I2C.
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/history.hpp>
#include <mcp/ports/esp_idf.hpp>
#include <mcp/ports/esp_idf_i2c.hpp>
#include <mcp/read_tools.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include <driver/i2c_master.h>
#include <esp_err.h>
#include "stream.hpp"

namespace {

constexpr gpio_num_t data_pin{6};
constexpr gpio_num_t clock_pin{7};

i2c_master_bus_handle_t open_bus() {
  i2c_master_bus_config_t config{};
  config.i2c_port = -1;  // any
  config.sda_io_num = data_pin;
  config.scl_io_num = clock_pin;
  config.clk_source = I2C_CLK_SRC_DEFAULT;
  config.glitch_ignore_cnt = 7;
  config.flags.enable_internal_pullup = 1;  // for short wires
  i2c_master_bus_handle_t handle = nullptr;
  ESP_ERROR_CHECK(i2c_new_master_bus(&config, &handle));
  return handle;
}

mcp::I2cBus& bus() {
  static mcp::esp_idf::I2c i2c(open_bus(), data_pin, clock_pin);
  return i2c;
}

// The sensor, and its rows.
constexpr mcp::MeasureOptions each_second{.now = mcp::esp_idf::millis};
constinit mcp::Measured<mcp::Lm75, each_second> room{bus, 0x48};
constexpr mcp::HistoryOptions celsius =
    mcp::history_options<mcp::Lm75>(mcp::Lm75::temperature, {.now = mcp::esp_idf::millis, .notify_above = 30});
constinit mcp::History<celsius, 60> temperatures;
constexpr mcp::Resource resources[] = {
    mcp::sensor<room>({.uri = "sensor://room", .name = "room", .subscribable = true, .as_tool = true}),
    mcp::history<temperatures>({.uri = "sensor://room/history", .name = "room_history", .subscribable = true})};
constexpr mcp::SensorRow rows[] = {{&room, &resources[0]},
                                   {&room, &resources[1], mcp::add_to<temperatures, mcp::Lm75::temperature>}};

constexpr mcp::Definition definition{
    .name = "sensor", .version = "1.0.0", .tools = mcp::tools_of<resources>, .resources = resources};
constexpr mcp::Limits limits{.receive_size = 1024, .transmit_size = 2048};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage, {.boot_id = mcp::esp_idf::boot_id}};

}  // namespace

extern "C" void app_main() {
  mcp::StdioTransport transport{server, open_stream()};
  for (;;) {
    const mcp::Millis sensors_ms = mcp::poll_sensors(rows, server);
    const mcp::Millis work_ms = transport.poll(mcp::esp_idf::millis());
    mcp::esp_idf::wait_for_event(std::min({sensors_ms, work_ms, longest_sleep_ms}));
  }
}
