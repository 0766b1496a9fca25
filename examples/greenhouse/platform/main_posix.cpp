// SPDX-License-Identifier: Apache-2.0
// The greenhouse on a PC: stdin and stdout are the wire to the client.
#include <mcp/ports/posix.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include "server.hpp"

int main() {
  mcp::posix::Stdio stdio;
  mcp::StdioTransport transport{greenhouse::server, stdio};
  while (!transport.closed()) {
    const mcp::Millis greenhouse_ms = greenhouse::poll(mcp::posix::now());
    const mcp::Millis work_ms = transport.poll(mcp::posix::now());
    stdio.wait(std::min(greenhouse_ms, work_ms));
  }
  return 0;
}
