// SPDX-License-Identifier: Apache-2.0
// A water meter: its contact closes and opens once for each litre. An interrupt counts, and marks the resource as
// changed. It wakes the main loop, which notifies subscribers and then sleeps. At any rate of litres, no interrupt
// waits for a client. A slow client gets one notification and reads the latest value.
#include <mcp/ports/board.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <atomic>
#include <cstdint>
#include <iterator>

#include "device.hpp"

namespace {

std::atomic<std::uint32_t> litres;  // Only the interrupt writes it.

mcp::Errc read_volume(mcp::ReadResult& out) {
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("litres", litres.load(std::memory_order_relaxed));
  json.object_end();
  return mcp::Errc::ok;
}

constexpr mcp::Resource resources[] = {{.uri = "meter://volume",
                                        .name = "volume",
                                        .title = "Volume",
                                        .description = "The litres that have flowed since the meter was switched on.",
                                        .mime_type = "application/json",
                                        .read = read_volume,
                                        .subscribable = true}};

constexpr mcp::Definition definition{.name = "meter", .version = "1.0.0", .resources = resources};
constinit mcp::Storage<definition> storage;
constinit const mcp::Server server{storage, {.boot_id = board::boot_id}};

void litre_from_isr() {
  litres.store(litres.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  server.resource_updated_from_isr(resources[0]);
}

}  // namespace

int main() {
  device::count_litres(litre_from_isr);
  mcp::StdioTransport transport{server, board::uart0()};
  for (;;) board::wait_for_event(transport.poll(board::millis()));
}
