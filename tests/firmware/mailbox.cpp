// SPDX-License-Identifier: Apache-2.0
// A server whose Mailbox gets all posts from the interrupt of a timer: it wakes a job, marks a resource as changed and
// logs a message. Driven over the UART by check.bash.
#include <mcp/mailbox.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>
#include <probe.hpp>

#include <atomic>
#include <cstdint>

namespace {

constexpr std::uint32_t wanted = 10;
std::atomic<std::uint32_t> ticks;
mcp::JobHandle handle;  // written before the timer starts

mcp::Errc read_ticks(mcp::ReadResult& out) {
  return out.json().number(ticks.load(std::memory_order_relaxed)), mcp::Errc::ok;
}

constexpr mcp::Resource resources[] = {
    {.uri = "count://ticks", .name = "ticks", .read = read_ticks, .subscribable = true},
};

// Starts the timer, and sleeps until its interrupt has come often enough. The sleep alone takes days.
struct Wait {
  mcp::Step step(mcp::JobContext& context) {
    const std::uint32_t now = ticks.load(std::memory_order_relaxed);
    if (context.stop_requested() || now >= wanted) {
      probe::tick_every(0);
      return context.done(context.result().text("woken by tick ", now));
    }
    if (now == 0) {
      handle = context.handle();
      probe::tick_every(20);
    }
    return context.sleep(1'000'000'000);
  }
};
constexpr mcp::Tool tools[] = {mcp::job<Wait>({.name = "wait"})};

constexpr mcp::Definition definition{
    .name = "mailbox", .version = "1", .tools = tools, .resources = resources, .logging = true};
constexpr mcp::Limits limits{.jobs = 1, .log_size = 256, .mailbox = true};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Mailbox mailbox{storage, board::wake_from_isr};
constinit const mcp::Server server{storage, {.mailbox = &mailbox}};

}  // namespace

extern "C" void TICK_HANDLER() {
  probe::take_tick();
  const std::uint32_t now = ticks.load(std::memory_order_relaxed) + 1;
  ticks.store(now, std::memory_order_relaxed);
  mailbox.resource_updated(resources[0]);
  if (now == wanted) static_cast<void>(mailbox.log(mcp::LogLevel::notice, "timer", "enough ticks"));
  handle.wake();
}

extern "C" void HANDLER() {}

int main() {
  mcp::StdioTransport transport{server, board::uart0()};
  for (;;) board::wait_for_event(transport.poll(board::millis()));
}
