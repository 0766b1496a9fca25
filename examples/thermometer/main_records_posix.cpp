// SPDX-License-Identifier: Apache-2.0
// The thermometer on a PC, over HTTP with a token that is set over stdin and stdout: two servers in one program. The
// settings are files in a folder.
#include <mcp/http_transport.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_records.hpp>
#include <mcp/ports/posix_tcp.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "device_posix.hpp"
#include "provisioning.hpp"
#include "thermometer.hpp"

namespace {

constexpr mcp::HttpLimits http_limits{.connections = 8};
constinit mcp::HttpStorage<thermometer::shape, http_limits> http_storage;

// The wait is for the network, so the program looks at stdin this often.
constexpr mcp::Millis longest_wait_ms = 20;

int serve(mcp::Records& records) {
  mcp::posix::TcpConnection connections[http_limits.connections];
  mcp::posix::TcpListener listener(connections, "127.0.0.1", 0);
  if (!listener.ok()) {
    static_cast<void>(std::fprintf(stderr, "cannot listen: %s\n", std::strerror(errno)));
    return 1;
  }
  provisioning::begin(records);
  char url[64];
  static_cast<void>(std::snprintf(url, sizeof url, "http://127.0.0.1:%u/mcp", listener.port()));
  provisioning::set_url(url);
  mcp::posix::SystemEntropy entropy;
  const mcp::HttpOptions options{.authorizer = &provisioning::tokens};
  mcp::HttpTransport http{thermometer::server, listener, entropy, http_storage, options};
  mcp::posix::Stdio stdio;
  mcp::StdioTransport wire{provisioning::server, stdio};
  while (!wire.closed()) {
    const mcp::Millis wire_ms = wire.poll(mcp::posix::now());
    wire.wipe();
    const mcp::Millis tokens_ms = provisioning::apply(http, mcp::posix::now());
    const mcp::Millis sample_ms = thermometer::sample(mcp::posix::now());
    const mcp::Millis http_ms = http.poll(mcp::posix::now());
    listener.wait(std::min({wire_ms, tokens_ms, sample_ms, http_ms, longest_wait_ms}));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 || std::string_view(argv[1]) != "--sensor" || std::string_view(argv[3]) != "--records") {
    static_cast<void>(std::fprintf(stderr, "usage: %s --sensor FILE --records FOLDER\n", argv[0]));
    return 2;
  }
  device::use_sensor(argv[2]);
  mcp::posix::FileRecords records(argv[4]);
  if (!records.ok()) {
    static_cast<void>(std::fprintf(stderr, "cannot use the folder %s: %s\n", argv[4], std::strerror(errno)));
    return 1;
  }
  return serve(records);
}
