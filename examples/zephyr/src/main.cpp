// SPDX-License-Identifier: Apache-2.0
// An application of Zephyr: each sensor of the devicetree is a resource and a tool, and the LED `led0` is a tool. The
// client is at the UART of the console, `zephyr,console`.
#include <mcp/ports/zephyr.hpp>
#include <mcp/ports/zephyr_sensors.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <errno.h>

#include <algorithm>
#include <string_view>

#include <zephyr/devicetree.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/sys/printk.h>

namespace {

using namespace std::literals;

#ifdef CONFIG_UART_INTERRUPT_DRIVEN
using Uart = mcp::zephyr::Uart;
#else
using Uart = mcp::zephyr::PolledUart;
#endif
Uart uart(DEVICE_DT_GET(DT_CHOSEN(zephyr_console)));

// ---- Sensors: no line for each of them, at most 8 ------------------------------------------------------------------

mcp::zephyr::DeviceSensors<8> sensors;
constexpr mcp::FoundResources sensor_rows = mcp::zephyr::sensor_rows<sensors>();
constexpr mcp::FoundTools sensor_tools = mcp::zephyr::sensor_tools<sensors>();

// ---- The LED -------------------------------------------------------------------------------------------------------

const gpio_dt_spec led = GPIO_DT_SPEC_GET(DT_ALIAS(led0), gpios);
int led_error;  // of the driver, at the start

struct SetLed {
  bool on;
};

mcp::Errc set_led(const SetLed& arguments, mcp::Call& call) {
  const int error = led_error != 0 ? led_error : gpio_pin_set_dt(&led, arguments.on ? 1 : 0);
  if (error != 0) return call.fail("The driver of the LED returns ", error, ".");
  return call.result().text("The LED is ", arguments.on ? "on"sv : "off"sv, ".");
}

constexpr auto set_led_params = mcp::params(mcp::param<&SetLed::on>("on", {.description = "true to switch it on"}));

constexpr mcp::Tool tools[] = {mcp::tool<set_led>(
    {.name = "set_led", .title = "LED", .description = "Switch the LED on or off."}, set_led_params)};

// ---- The server ----------------------------------------------------------------------------------------------------

constexpr mcp::Definition definition{.name = "zephyr",
                                     .title = "Zephyr board",
                                     .version = "1.0.0",
                                     .tools = tools,
                                     .found_resources = sensor_rows,
                                     .found_tools = sensor_tools,
                                     .list_changes = true,
                                     .subscriptions = true};
constexpr mcp::Limits limits{.receive_size = 1280, .transmit_size = 2048, .subscriptions = 2};
constinit mcp::Storage<definition, limits> storage;

// Without a boot id, the clients detect a reset later.
#ifdef CONFIG_ENTROPY_GENERATOR
constinit const mcp::Server server{storage, {.boot_id = mcp::zephyr::boot_id}};
#else
constinit const mcp::Server server{storage};
#endif

int start_led() { return gpio_is_ready_dt(&led) ? gpio_pin_configure_dt(&led, GPIO_OUTPUT_INACTIVE) : -ENODEV; }

}  // namespace

int main() {
  led_error = start_led();
  if (led_error != 0) printk("mote: the driver of the LED returns %d\n", led_error);
  const std::size_t left_out = sensors.add_all();
  if (left_out != 0) printk("mote: %zu sensors have no row, because the table is full\n", left_out);
  printk("mote: sensors: %zu\n", sensors.size());

  mcp::StdioTransport transport{server, uart};
  for (;;) {
    const mcp::Millis sensors_ms = sensors.poll(server);
    const mcp::Millis work_ms = transport.poll(mcp::zephyr::millis());
    mcp::zephyr::wait_for_event(std::min(sensors_ms, work_ms));
  }
}
