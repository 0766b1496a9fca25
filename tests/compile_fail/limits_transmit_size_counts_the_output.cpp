// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a row
// and: "tools/list"
// and: "a"
// and: , 695, 400)
#include <mcp/server.hpp>

#define X100 "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
struct Reading {
  int value;
};
constexpr auto reading = mcp::output(mcp::param<&Reading::value>("value", {.description = X100 X100}));
mcp::Errc run(Reading& out, mcp::Call&) {
  out.value = 1;
  return mcp::Errc::ok;
}
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a"}, reading)};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.transmit_size = 400};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
