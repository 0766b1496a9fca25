// SPDX-License-Identifier: Apache-2.0
// The thermometer on a PC, over the transport of line_transport.hpp: own_transport SENSOR
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_tcp.hpp>

#include <algorithm>
#include <cstdio>

#include "device_posix.hpp"
#include "line_transport.hpp"
#include "thermometer.hpp"

int main(int argc, char** argv) {
  if (argc > 1) device::use_sensor(argv[1]);
  mcp::posix::TcpConnection connections[1];  // further clients wait in the network stack
  mcp::posix::TcpListener listener(connections, "127.0.0.1", 0);
  if (!listener.ok()) return 1;
  LineTransport transport(thermometer::server, listener);
  static_cast<void>(std::fprintf(stderr, "listening on tcp://127.0.0.1:%u\n", listener.port()));
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(mcp::posix::now());
    listener.wait(std::min(sample_ms, transport.poll(mcp::posix::now())));
  }
}
