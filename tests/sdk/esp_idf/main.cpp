// SPDX-License-Identifier: Apache-2.0
// The thermometer of examples/thermometer over a UART, with the main loop that mcp/ports/esp_idf.hpp shows.
#include <mcp/ports/esp_idf.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include "device.hpp"
#include "thermometer.hpp"

namespace {

bool is_led_on;

}  // namespace

namespace device {

const std::string_view hardware = MOTE_TEST_HARDWARE;

mcp::Millis now() { return mcp::esp_idf::millis(); }

// The LED warms the sensor.
bool read_millidegrees(std::int32_t& value) {
  value = is_led_on ? 30'250 : 21'500;
  return true;
}

void led(bool on) { is_led_on = on; }

std::uint32_t boot_id() { return mcp::esp_idf::boot_id(); }

}  // namespace device

extern "C" void app_main() {
  mcp::esp_idf::Uart uart(UART_NUM_1);
  mcp::StdioTransport transport{thermometer::server, uart};
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(mcp::esp_idf::millis());
    const mcp::Millis work_ms = transport.poll(mcp::esp_idf::millis());
    mcp::esp_idf::wait_for_event(std::min(sample_ms, work_ms));
  }
}
