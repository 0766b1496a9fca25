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
#include <cstdlib>
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

int serve(std::string_view reader, std::string_view operator_token, std::uint16_t port) {
  mcp::posix::TcpConnection connections[http_limits.connections];
  mcp::posix::TcpListener listener(connections, "127.0.0.1", port);
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

// A port from 1 to 65535, or 0.
std::uint16_t read_port(const char* text) {
  char* end = nullptr;
  const long port = std::strtol(text, &end, 10);
  return *end == '\0' && port > 0 && port <= 0xFFFF ? static_cast<std::uint16_t>(port) : std::uint16_t{0};
}

}  // namespace

int main(int argc, char** argv) {
  const bool has_tokens =
      argc >= 5 && std::string_view(argv[1]) == "--reader" && std::string_view(argv[3]) == "--operator";
  const bool has_port = argc == 7 && std::string_view(argv[5]) == "--port";
  const std::uint16_t port = has_port ? read_port(argv[6]) : std::uint16_t{0};
  if (!has_tokens || (argc != 5 && port == 0)) {
    static_cast<void>(std::fprintf(stderr,
                                   "usage: %s --reader TOKEN --operator TOKEN [--port N]\n"
                                   "  --port N  1 to 65535; without it, any free port\n",
                                   argv[0]));
    return 2;
  }
  static_cast<void>(std::signal(SIGINT, end));
  static_cast<void>(std::signal(SIGTERM, end));
  return serve(argv[2], argv[4], port);
}
