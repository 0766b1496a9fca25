// SPDX-License-Identifier: Apache-2.0
// The thermometer on a PC, for several clients over HTTP.
#include <mcp/http_page.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_tcp.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "arguments.hpp"
#include "device_posix.hpp"
#include "thermometer.hpp"

namespace {

constexpr mcp::HttpLimits http_limits{.connections = 8, .replay_size = 4096};
constinit mcp::HttpStorage<thermometer::shape, http_limits> http_storage;
constexpr mcp::HttpPage page;

volatile std::sig_atomic_t ended = 0;
void end(int) { ended = 1; }

// A signal that comes just before the wait is noticed after it.
constexpr mcp::Millis longest_wait_ms = 500;

// Prints the addresses and the allowed hosts for the person who started it.
void say_address(const Arguments& arguments, std::uint16_t port, const mcp::HttpOptions& options) {
  const bool beyond_loopback = !is_loopback(arguments.host);
  const std::string_view warning = mcp::exposure_warning(options, beyond_loopback);
  if (!warning.empty()) {
    static_cast<void>(std::fprintf(stderr, "%.*s\n", static_cast<int>(warning.size()), warning.data()));
  }
  if (beyond_loopback && arguments.names_count == 0) {
    static_cast<void>(
        std::fprintf(stderr, "rejects requests to a host name other than localhost: --allow-host NAME\n"));
  }
  const bool ipv6 = std::strchr(arguments.host, ':') != nullptr;
  static_cast<void>(std::fprintf(stderr, ipv6 ? "listening on http://[%s]:%u/mcp\n" : "listening on http://%s:%u/mcp\n",
                                 arguments.host, port));
}

int serve(const Arguments& arguments) {
  mcp::posix::TcpConnection connections[http_limits.connections];
  mcp::posix::TcpListener listener(connections, arguments.host, arguments.port);
  if (!listener.ok()) {
    static_cast<void>(std::fprintf(stderr, "cannot listen on %s, port %u: %s\n", arguments.host, arguments.port,
                                   std::strerror(errno)));
    return 1;
  }
  mcp::posix::SystemEntropy entropy;
  mcp::StaticTokens tokens({&arguments.token, 1});
  const mcp::HttpOptions options{.hosts = {arguments.names, arguments.names_count},
                                 .authorizer = arguments.token.empty() ? nullptr : &tokens,
                                 .page = &page};
  mcp::HttpTransport transport{thermometer::server, listener, entropy, http_storage, options};
  say_address(arguments, listener.port(), options);
  while (ended == 0) {
    const mcp::Millis sample_ms = thermometer::sample(mcp::posix::now());
    const mcp::Millis work_ms = transport.poll(mcp::posix::now());
    listener.wait(std::min({sample_ms, work_ms, longest_wait_ms}));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!read_arguments(argc, argv, arguments)) return 2;
  device::use_sensor(arguments.sensor);
  static_cast<void>(std::signal(SIGINT, end));
  static_cast<void>(std::signal(SIGTERM, end));
  return serve(arguments);
}
