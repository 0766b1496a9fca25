// SPDX-License-Identifier: Apache-2.0
// The greenhouse on a PC over HTTP, with two tokens: one that reads, and one that may do everything.
#include <mcp/http_page.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_tcp.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "server.hpp"

namespace {

constexpr mcp::HttpLimits http_limits{.connections = 8, .replay_size = 4096};
constinit mcp::HttpStorage<greenhouse::shape, http_limits> http_storage;
constexpr mcp::HttpPage page;

volatile std::sig_atomic_t ended = 0;
void end(int) { ended = 1; }

// A signal that comes just before the wait is noticed after it.
constexpr mcp::Millis longest_wait_ms = 500;

int serve(std::string_view reader, std::string_view operator_token) {
  mcp::posix::TcpConnection connections[http_limits.connections];
  mcp::posix::TcpListener listener(connections, "127.0.0.1", 0);
  if (!listener.ok()) {
    static_cast<void>(std::fprintf(stderr, "cannot listen: %s\n", std::strerror(errno)));
    return 1;
  }
  // The first token has no scope, so it reads. The second one has all scopes.
  const mcp::StaticToken tokens[] = {{.token = reader, .scopes = ""}, {.token = operator_token}};
  mcp::ScopedTokens authorizer{tokens};
  mcp::posix::SystemEntropy entropy;
  const mcp::HttpOptions options{.authorizer = &authorizer, .page = &page};
  mcp::HttpTransport transport{greenhouse::server, listener, entropy, http_storage, options};
  static_cast<void>(std::fprintf(stderr, "listening on http://127.0.0.1:%u/mcp\n", listener.port()));
  while (ended == 0) {
    const mcp::Millis greenhouse_ms = greenhouse::poll(mcp::posix::now());
    const mcp::Millis work_ms = transport.poll(mcp::posix::now());
    listener.wait(std::min({greenhouse_ms, work_ms, longest_wait_ms}));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 || std::string_view(argv[1]) != "--reader" || std::string_view(argv[3]) != "--operator") {
    static_cast<void>(std::fprintf(stderr, "usage: %s --reader TOKEN --operator TOKEN\n", argv[0]));
    return 2;
  }
  static_cast<void>(std::signal(SIGINT, end));
  static_cast<void>(std::signal(SIGTERM, end));
  return serve(argv[2], argv[4]);
}
