// SPDX-License-Identifier: Apache-2.0
// A temperature sensor on I2C1 and the LED LD2 for AI clients on USART2, which is the USB cable of a Nucleo board.
// Clients read the resource sensor://room, subscribe to it, or call the tools `read_room` and `set_led`.
// For a TMP102: mcp::Tmp102 in place of mcp::Lm75.
#include "app.hpp"

#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/ports/stm32_hal.hpp>
#include <mcp/ports/stm32_hal_i2c.hpp>
#include <mcp/read_tools.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

extern "C" {
extern I2C_HandleTypeDef hi2c1;  // of main.c
extern UART_HandleTypeDef huart2;
}

namespace {

mcp::I2cBus& i2c1() {
  static mcp::stm32::I2c bus{&hi2c1, {I2C_SDA_GPIO_Port, I2C_SDA_Pin}, {I2C_SCL_GPIO_Port, I2C_SCL_Pin}};
  return bus;
}

// The sensor, its row, and what is updated after each measurement.
constexpr mcp::MeasureOptions each_second{.now = app::millis, .interval_ms = 1000};
constinit mcp::Measured<mcp::Lm75, each_second> room{i2c1, 0x48};
constexpr mcp::Resource resources[] = {mcp::sensor<room>({.uri = "sensor://room",
                                                          .name = "room",
                                                          .title = "Room",
                                                          .description = "The temperature of the room.",
                                                          .subscribable = true,
                                                          .as_tool = true})};
constexpr mcp::SensorRow sensors[] = {{&room, &resources[0]}};

struct SetLed {
  bool on;
};

mcp::Errc set_led(const SetLed& arguments, mcp::Call& call) {
  HAL_GPIO_WritePin(LD2_GPIO_Port, LD2_Pin, arguments.on ? GPIO_PIN_SET : GPIO_PIN_RESET);
  return call.result().text("The LED is ", arguments.on ? "on." : "off.");
}

constexpr auto set_led_params = mcp::params(mcp::param<&SetLed::on>("on", {.description = "Whether it lights"}));
constexpr mcp::Tool tools[] = {mcp::tool<set_led>(
    {.name = "set_led", .title = "LED", .description = "Switches the green LED LD2."}, set_led_params)};

constexpr mcp::Definition definition{.name = "nucleo",
                                     .title = "Nucleo board",
                                     .version = "1.0.0",
                                     .tools = mcp::tools_of<tools, resources>,
                                     .resources = resources,
                                     .subscriptions = true};
constexpr mcp::Limits limits{.receive_size = 1024, .transmit_size = 1024, .sessions = 1, .subscriptions = 1};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage};

}  // namespace

mcp::ByteStream& app::uart() {
  static mcp::stm32::Uart stream{&huart2};
  return stream;
}

mcp::Millis app::poll() {
  static mcp::StdioTransport transport{server, uart()};
  const mcp::Millis sensors_ms = mcp::poll_sensors(sensors, server);
  return std::min(sensors_ms, transport.poll(millis()));
}
