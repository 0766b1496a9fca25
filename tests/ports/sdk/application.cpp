// SPDX-License-Identifier: Apache-2.0
// An application of an SDK, which has the names of its socket functions, too.
#include <mcp/http_transport.hpp>
#include <mcp/ports/sockets.hpp>
#include <mcp/ports/sockets_dialer.hpp>
#include <mcp/server.hpp>

#ifdef SOCKET_HEADER
#include SOCKET_HEADER
#endif

namespace {

constexpr mcp::Definition definition{.name = "lamp", .version = "1.0.0"};
constinit mcp::Storage<definition, mcp::Limits{.sessions = 4}> storage;
constexpr mcp::HttpLimits http_limits{.connections = 4};
constinit mcp::HttpStorage<storage, http_limits> http_storage;
constexpr mcp::HttpOptions options{.path = "/mcp"};
mcp::sockets::TcpConnection connections[http_limits.connections];
static_assert(sizeof(mcp::sockets::TcpConnection) == 32, "ports/README.md says so");
mcp::sockets::DialedConnection dialed[1];
static_assert(sizeof(mcp::sockets::DialedConnection) == 144, "its comment says so");

}  // namespace

void serve(const mcp::Server& server, mcp::Entropy& entropy, mcp::Millis (*now_ms)());
void serve(const mcp::Server& server, mcp::Entropy& entropy, mcp::Millis (*now_ms)()) {
  mcp::sockets::TcpListener listener(connections, "0.0.0.0", 80);
  mcp::HttpTransport transport{server, listener, entropy, http_storage, options};
  mcp::sockets::TcpDialer dialer(dialed, nullptr, &listener);
  mcp::Connection* const broker = dialer.dial("192.0.2.1", 1883);
  while (listener.ok() && listener.enable_wake() && broker != nullptr) dialer.wait(transport.poll(now_ms()));
}
