// SPDX-License-Identifier: Apache-2.0
// The server on a chip of Espressif.
#include <mcp/ports/esp_idf.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <cstdlib>

#include "device.hpp"
#include "server.hpp"
#include "stream.hpp"

std::uint32_t boot_id() { return mcp::esp_idf::boot_id(); }

extern "C" void app_main() {
  mcp::StdioTransport transport{server, open_stream()};
  while (!transport.closed()) {
    const mcp::Millis work_ms = transport.poll(mcp::esp_idf::millis());
    mcp::esp_idf::wait_for_event(std::min(work_ms, longest_sleep_ms));
  }
  std::exit(0);  // at the end of stdin; the streams of a chip have none
}
