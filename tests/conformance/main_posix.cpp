// SPDX-License-Identifier: Apache-2.0
// everything.cpp on a PC: the wire is stdin and stdout, or HTTP.
#include <mcp/http_page.hpp>
#include <mcp/http_sse_2024.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_tcp.hpp>
#include <mcp/stdio_transport.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "everything.hpp"

namespace everything {

bool Entropy::do_fill(std::span<std::uint8_t> into) { return mcp::posix::SystemEntropy().fill(into); }

std::uint64_t WallClock::do_utc_ms() { return mcp::posix::SystemWallClock().utc_ms(); }

}  // namespace everything

namespace {

constexpr mcp::HttpLimits http_limits{.connections = MOTE_CONNECTIONS, .head_size = 2048, .replay_size = 16'384};
constinit mcp::HttpStorage<everything::shape, http_limits> http_storage;
constexpr mcp::HttpSse2024 sse;
constexpr mcp::HttpPage page;
constexpr mcp::HttpOptions newest_alone{.page = &page};
constexpr mcp::HttpOptions with_sse{.sse_2024 = &sse, .page = &page};

int serve_stdio() {
  mcp::posix::Stdio stdio;
  mcp::StdioTransport transport{everything::server, stdio};
  for (;;) {
    const mcp::Millis due_ms = transport.poll(mcp::posix::now());
    if (transport.closed()) return 0;
    stdio.wait(due_ms);
  }
}

int serve_http(std::uint16_t port, const mcp::HttpOptions& options) {
  static mcp::posix::TcpConnection connections[http_limits.connections];
  mcp::posix::TcpListener listener(connections, "127.0.0.1", port);
  if (!listener.ok()) {
    static_cast<void>(std::fprintf(stderr, "cannot listen on port %u: %s\n", port, std::strerror(errno)));
    return 1;
  }
  static_cast<void>(std::fprintf(stderr, "listening on http://127.0.0.1:%u/mcp\n", listener.port()));
  static everything::Entropy entropy;
  mcp::HttpTransport transport{everything::server, listener, entropy, http_storage, options};
  for (;;) listener.wait(transport.poll(mcp::posix::now()));
}

// A port from 0 to 65535, or -1.
long read_port(const char* text) {
  char* end = nullptr;
  const long port = std::strtol(text, &end, 10);
  return *text != '\0' && *end == '\0' && port >= 0 && port <= 0xFFFF ? port : -1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--stdio") return serve_stdio();
  const bool older = argc == 4 && std::string_view(argv[3]) == "--sse";
  const long port = (argc == 3 || older) && std::string_view(argv[1]) == "--port" ? read_port(argv[2]) : -1;
  if (port >= 0) return serve_http(static_cast<std::uint16_t>(port), older ? with_sse : newest_alone);
  static_cast<void>(std::fprintf(stderr,
                                 "usage: %s --stdio | --port N [--sse]\n"
                                 "  --port N  0: any free one\n"
                                 "  --sse     also the transport of 2024-11-05, under /sse\n",
                                 argv[0]));
  return 2;
}
