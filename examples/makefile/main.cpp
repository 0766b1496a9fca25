// SPDX-License-Identifier: Apache-2.0
// The application: a tool that adds, and a resource with the time since the start.
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include "board.hpp"

namespace {

mcp::Errc read_uptime(mcp::ReadResult& out) { return out.number(board::millis()); }

struct Add {
  std::int32_t a;
  std::int32_t b;
};

mcp::Errc add(const Add& arguments, mcp::Call& call) {
  return call.result().text(std::int64_t{arguments.a} + arguments.b);
}

constexpr auto add_params = mcp::params(mcp::param<&Add::a>("a"), mcp::param<&Add::b>("b"));
constexpr mcp::Tool tools[] = {mcp::tool<add>({.name = "add", .description = "Adds two integers."}, add_params)};
constexpr mcp::Resource resources[] = {
    {.uri = "device://uptime", .name = "uptime", .mime_type = "text/plain", .read = read_uptime}};
constexpr mcp::Definition definition{
    .name = "makefile-example", .version = "1.0.0", .tools = tools, .resources = resources};

constexpr mcp::Limits limits{.receive_size = 2048, .transmit_size = 1024};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage};

}  // namespace

int main() {
  mcp::StdioTransport transport{server, board::uart()};
  for (;;) board::sleep(transport.poll(board::millis()));
}
