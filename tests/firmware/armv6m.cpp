// SPDX-License-Identifier: Apache-2.0
// Core with a Mailbox on a Cortex-M0, whose processor has no compare-and-swap: firmware.armv6m links it and looks at
// its symbols.
#include <mcp/coroutine.hpp>
#include <mcp/mailbox.hpp>
#include <mcp/rtos.hpp>
#include <mcp/server.hpp>

#include <cstdint>

// What the port of such a processor supplies: interrupts are off between the two functions.
extern "C" std::uint32_t mcp_lock() {
  std::uint32_t was_off = 0;
  asm volatile("mrs %0, primask\n cpsid i" : "=r"(was_off)::"memory");
  return was_off;
}
extern "C" void mcp_unlock(std::uint32_t state) { asm volatile("msr primask, %0" ::"r"(state) : "memory"); }

extern "C" void mcp_assert_failed(const char*, int) {
  for (;;) {
  }
}

namespace {

mcp::JobHandle handle;

constinit mcp::FramePool<1, 256> frames;
mcp::Coroutine wait(mcp::CoroutineContext& context) {
  handle = context.handle();
  co_await context.sleep(1000);
  co_return context.result().text("x");
}
constexpr mcp::Tool tools[] = {mcp::coroutine<wait, frames>({.name = "wait"})};

mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .read = read, .subscribable = true}};

constexpr mcp::Definition definition{
    .name = "m0", .version = "1", .tools = tools, .resources = resources, .logging = true, .subscriptions = true};
constexpr mcp::Limits limits{.jobs = 1, .subscriptions = 1, .log_size = 128, .mailbox = true};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Mailbox mailbox{storage};
constinit const mcp::Server server{storage, {.mailbox = &mailbox}};

}  // namespace

int main() {
  const mcp::SessionId session = server.open(0);
  for (mcp::Millis now = 0;; now += 10) {
    server.resource_updated_from_isr(resources[0]);
    mailbox.resource_updated(resources[0]);
    static_cast<void>(mailbox.log(mcp::LogLevel::info, "m0", "x"));
    handle.wake();
    static_cast<void>(server.poll(now));
    static_cast<void>(server.receive(session, server.receive_buffer(), server.transmit_buffer(), now));
    static_cast<void>(server.transmit(session, server.transmit_buffer(), now));
  }
}
