// SPDX-License-Identifier: Apache-2.0
// The thermometer of examples/thermometer as a project of ESP-IDF, with a simulated sensor.
#include <mcp/ports/esp_idf.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <cstdlib>

#include <sdkconfig.h>
#include "device.hpp"
#include "stream.hpp"
#include "thermometer.hpp"

namespace {

bool is_led_on;

}  // namespace

namespace device {

const std::string_view hardware = CONFIG_IDF_TARGET;

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
  mcp::StdioTransport transport{thermometer::server, open_stream()};
  while (!transport.closed()) {
    const mcp::Millis sample_ms = thermometer::sample(mcp::esp_idf::millis());
    const mcp::Millis work_ms = transport.poll(mcp::esp_idf::millis());
    mcp::esp_idf::wait_for_event(std::min({sample_ms, work_ms, longest_sleep_ms}));
  }
  std::exit(0);  // at the end of stdin; the streams of a chip have none
}
