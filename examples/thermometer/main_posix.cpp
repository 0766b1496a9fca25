// SPDX-License-Identifier: Apache-2.0
// The thermometer on a PC: stdin and stdout are the wire to the client.
#include <mcp/ports/posix.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "device_posix.hpp"
#include "thermometer.hpp"

int main(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != "--sensor") {
    static_cast<void>(std::fprintf(
        stderr, "usage: %s --sensor FILE\n  FILE holds the temperature in thousandths of a degree Celsius\n", argv[0]));
    return 2;
  }
  device::use_sensor(argv[2]);
  mcp::posix::Stdio stdio;
  mcp::StdioTransport transport{thermometer::server, stdio};
  while (!transport.closed()) {
    const mcp::Millis sample_ms = thermometer::sample(mcp::posix::now());
    const mcp::Millis work_ms = transport.poll(mcp::posix::now());
    stdio.wait(std::min(sample_ms, work_ms));
  }
  return 0;
}
