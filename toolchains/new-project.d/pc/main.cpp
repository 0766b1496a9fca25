// SPDX-License-Identifier: Apache-2.0
// The server on a PC. The client is on stdin and stdout.
#include <mcp/ports/posix.hpp>
#include <mcp/stdio_transport.hpp>

#include "device.hpp"
#include "server.hpp"

std::uint32_t boot_id() { return 0; }  // the end of the program ends the connection, too

int main() {
  mcp::posix::Stdio stream;
  mcp::StdioTransport transport{server, stream};
  while (!transport.closed()) stream.wait(transport.poll(mcp::posix::now()));
}
