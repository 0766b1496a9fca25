// SPDX-License-Identifier: Apache-2.0
// The sleep of the server's task in a real kernel, which freertos.test.mjs starts. The task `low` plays against it. The
// clock of the kernel stands: `low` counts the ticks, so nothing depends on time. A lost wake-up ends in a sleep of all
// tasks. A failed check prints its line.
#include <mcp/mailbox.hpp>
#include <mcp/ports/cortex_m.hpp>
#include <mcp/ports/freertos.hpp>
#include <mcp/ports/mps2_an385.hpp>
#include <mcp/rtos.hpp>
#include <mcp/server.hpp>
#include <probe.hpp>
#include <string_view>

#include "board.hpp"

namespace {

constinit mcp::freertos::StaticTask<2048> server_task;
constinit mcp::freertos::StaticTask<1024> high_task;
constinit mcp::freertos::StaticTask<1024> low_task;
constinit mcp::freertos::Task high;  // the same task, of which it knows the handle after the first sleep
TaskHandle_t server_handle;

mcp::Errc read_count(mcp::ReadResult& out) { return out.json().number(0), mcp::Errc::ok; }
constexpr mcp::Resource resources[] = {{.uri = "count://", .name = "count", .read = read_count, .subscribable = true}};
constexpr mcp::Definition definition{.name = "wakes", .version = "1", .resources = resources};
constexpr mcp::Limits limits{.mailbox = true};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Mailbox mailbox{storage, [] { server_task.wake(); }};

void post() { mailbox.resource_updated(resources[0]); }

std::atomic<unsigned> sleeps;                      // that have ended
std::atomic<mcp::Millis> limit_ms = mcp::forever;  // of the next sleep
std::atomic<mcp::Millis> woken_ms;                 // the end of the last one
std::atomic<bool> wants_post;                      // of the task `high`
std::atomic<unsigned> low_runs;
std::atomic<const void*> task_of_isr;

void say(std::string_view text) {
  for (const std::string_view part : {text, std::string_view("\n")}) {
    for (std::size_t at = 0; at < part.size();) at += board::uart0().write(part.substr(at)).size;
  }
}

// ---- The server: between poll() and sleep ---------------------------------------------------------------------------

void serve(void*) {
  board::reg(board::systick_ctrl) = 0;
  server_handle = xTaskGetCurrentTaskHandle();
  server_task.wait_for_event(mcp::forever);
  say("a wake-up before the scheduler starts");
  wants_post = true;
  high.wake();  // it runs before the next line, and posts
  server_task.wait_for_event(mcp::forever);
  say("a post of a task between poll() and sleep");
  probe::raise_interrupt();
  asm volatile("dsb\n isb");
  server_task.wait_for_event(mcp::forever);
  say("a post of an interrupt between poll() and sleep");
  for (unsigned i = 0; i < 3; ++i) server_task.wait_for_event(0);
  MCP_ASSERT(low_runs == 0);
  say("no sleep of 0 ms");
  for (;;) {
    server_task.wait_for_event(limit_ms);
    woken_ms = mcp::freertos::millis();
    ++sleeps;
  }
}

void post_high(void*) {
  high.wait_for_event(mcp::forever);
  for (;;) {
    high.wait_for_event(mcp::forever);
    if (wants_post.exchange(false)) post();
  }
}

// ---- Against a server that sleeps -----------------------------------------------------------------------------------

// Calls `act`. The server runs once before the next line of this task, which has a lower priority.
void wakes_once(std::string_view name, void (*act)()) {
  const unsigned before = sleeps;
  act();
  MCP_ASSERT(sleeps == before + 1);
  say(name);
}

// The tick interrupt, `count` times. The server may run after it.
void tick(unsigned count) {
  taskENTER_CRITICAL();
  for (; count != 0; --count) {
    if (xTaskIncrementTick() != pdFALSE) portYIELD();
  }
  taskEXIT_CRITICAL();
}

// The next sleep of the server lasts for `ms`, which are `ticks`.
void sleeps_for(mcp::Millis ms, unsigned ticks) {
  limit_ms = ms;
  server_task.wake();
  const unsigned before = sleeps;
  tick(ticks - 1);
  MCP_ASSERT(sleeps == before);
  tick(1);
  MCP_ASSERT(sleeps == before + 1);
}

void check_time() {
  // The tick count wraps at 65,536 of 1024 in a second, after 64 s.
  const mcp::Millis start_ms = mcp::freertos::millis();
  for (unsigned seconds = 1; seconds <= 200; ++seconds) {
    sleeps_for(1000, 1024);
    MCP_ASSERT(woken_ms - start_ms == seconds * 1000);
  }
  say("200 sleeps of a second, 3 wraps");
  sleeps_for(1, 2);  // 1.024 ticks
  sleeps_for(mcp::forever, 32'767);
  sleeps_for(mcp::forever - 1, 32'767);
  say("sleeps that are longer than the tick count lasts");
  limit_ms = mcp::forever;
  server_task.wake();
}

void attack(void*) {
  ++low_runs;
  wakes_once("a post of a task", post);
  wakes_once("a post of an interrupt", [] {
    probe::raise_interrupt();
    asm volatile("dsb\n isb");
  });
  wakes_once("1,000 posts at once", [] {
    taskENTER_CRITICAL();
    for (unsigned i = 0; i < 1000; ++i) post();
    taskEXIT_CRITICAL();
  });
  wakes_once("a notification of the application", [] { xTaskNotify(server_handle, 0xFFFF'0000, eSetBits); });
  wakes_once("its value is cleared", [] { server_task.wake(); });
  check_time();
  MCP_ASSERT(mcp_current_task() == xTaskGetCurrentTaskHandle());
  MCP_ASSERT(task_of_isr != nullptr && task_of_isr != mcp_current_task() && task_of_isr != server_handle);
  say("names of tasks");
  MCP_ASSERT(server_task.stack_left() > 256 && server_task.stack_left() < 2048);
  MCP_ASSERT(high.stack_left() == high_task.stack_left());
  say("space on the stacks");
  server_task.wait_for_event(0);  // of another task: fails an assertion
}

}  // namespace

extern "C" void HANDLER() {
  task_of_isr = mcp_current_task();
  post();
}

void tank::measured_from_isr() {}
void board::wake_from_isr() {}  // say() does not sleep

int main() {
  MCP_ASSERT(server_task.stack_left() == 0);
  tank::lower_interrupts();
  post();
  server_task.start("server", 2, serve);
  high_task.start("high", 3, post_high);
  low_task.start("low", 1, attack);
  post();
  MCP_ASSERT(mcp_current_task() == nullptr);
  vTaskStartScheduler();
}
