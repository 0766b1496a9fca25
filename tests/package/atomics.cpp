// SPDX-License-Identifier: Apache-2.0
// All uses of atomics in headers, for processors without atomic instructions.
#include <mcp/ports/interrupt_ring.hpp>
#include <mcp/server.hpp>

namespace {

mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::Resource resources[] = {{.uri = "a://b", .name = "a", .read = read, .subscribable = true}};
constexpr mcp::Definition definition{.name = "atomics", .version = "1.0.0", .resources = resources};
constinit mcp::Storage<definition> storage;
constinit const mcp::Server server{storage};
board::InterruptRing<16> ring;

}  // namespace

void use_atomics() {
  server.resource_updated_from_isr(resources[0]);
  char byte = 0;
  if (ring.push('a') && !ring.full()) ring.pop({&byte, 1});
}
