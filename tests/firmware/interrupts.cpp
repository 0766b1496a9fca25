// SPDX-License-Identifier: Apache-2.0
// A server whose resources are changed by interrupts alone, while its main loop sleeps: a timer that ticks, and a storm
// of interrupts between two turns of the main loop. Driven over the UART by check.bash.
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>
#include <probe.hpp>

#include <atomic>
#include <cstdint>

namespace {

// Interrupts so far, and how often the main loop has had its turn.
std::atomic<std::uint32_t> ticks;
std::atomic<std::uint32_t> raised;
std::uint32_t turns;

mcp::Errc tell(mcp::ReadResult& out, std::uint32_t interrupts) {
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("interrupts", interrupts);
  json.member("turns", turns);
  json.object_end();
  return mcp::Errc::ok;
}

mcp::Errc read_ticks(mcp::ReadResult& out) { return tell(out, ticks.load(std::memory_order_relaxed)); }
mcp::Errc read_storm(mcp::ReadResult& out) { return tell(out, raised.load(std::memory_order_relaxed)); }

constexpr mcp::Resource resources[] = {
    {.uri = "count://ticks", .name = "ticks", .read = read_ticks, .subscribable = true},
    {.uri = "count://storm", .name = "storm", .read = read_storm, .subscribable = true},
};

struct Tick {
  std::uint32_t milliseconds;
};

mcp::Errc tick(const Tick& arguments, mcp::Call& call) {
  probe::tick_every(arguments.milliseconds);
  return call.result().text("ticks");
}

struct Storm {
  std::uint32_t interrupts;
};

// Each is handled before the next one is raised. Turns of the inner loop: until the handler has run, which is at once.
mcp::Errc storm(const Storm& arguments, mcp::Call& call) {
  for (std::uint32_t i = 0; i < arguments.interrupts; ++i) {
    const std::uint32_t before = raised.load(std::memory_order_relaxed);
    probe::raise_interrupt();
    for (unsigned wait = 0; wait < 10'000 && raised.load(std::memory_order_relaxed) == before; ++wait) {
    }
  }
  return call.result().text("over");
}

constexpr auto tick_params = mcp::params(
    mcp::param<&Tick::milliseconds>("milliseconds", {.description = "0: no more", .minimum = 0, .maximum = 1000}));
constexpr auto storm_params =
    mcp::params(mcp::param<&Storm::interrupts>("interrupts", {.minimum = 1, .maximum = 1'000'000}));

constexpr mcp::Tool tools[] = {mcp::tool<tick>({.name = "tick"}, tick_params),
                               mcp::tool<storm>({.name = "storm"}, storm_params)};

constexpr mcp::Definition definition{.name = "interrupts", .version = "1", .tools = tools, .resources = resources};
constinit mcp::Storage<definition> storage;
constinit const mcp::Server server{storage};

void count(std::atomic<std::uint32_t>& counter, const mcp::Resource& resource) {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  server.resource_updated_from_isr(resource);
  board::wake_from_isr();
}

}  // namespace

extern "C" void TICK_HANDLER() {
  probe::take_tick();
  count(ticks, resources[0]);
}

extern "C" void HANDLER() { count(raised, resources[1]); }

int main() {
  mcp::StdioTransport transport{server, board::uart0()};
  for (;;) {
    ++turns;
    board::wait_for_event(transport.poll(board::millis()));
  }
}
