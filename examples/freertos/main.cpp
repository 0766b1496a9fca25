// SPDX-License-Identifier: Apache-2.0
// A water tank with a server in a task of FreeRTOS. The task of the sensor posts each new level. The interrupt of a
// timer ends a measurement. Both use a Mailbox, which wakes the server's task.
#include <mcp/mailbox.hpp>
#include <mcp/ports/board.hpp>
#include <mcp/ports/freertos.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <atomic>
#include <cstdint>

#include "board.hpp"

namespace {

constinit mcp::freertos::StaticTask<4096> server_task;
constinit mcp::freertos::StaticTask<512> sensor_task;

std::atomic<std::uint32_t> millimetres;         // Only the sensor's task writes it.
std::atomic<std::uint32_t> interval_ms = 1000;  // Only the server's task writes it.
std::atomic<bool> is_measured;

// ---- Resources ------------------------------------------------------------------------------------------------------

mcp::Errc read_level(mcp::ReadResult& out) {
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("millimetres", millimetres.load(std::memory_order_relaxed));
  json.object_end();
  return mcp::Errc::ok;
}

mcp::Errc read_tasks(mcp::ReadResult& out) {
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("uptimeMs", mcp::freertos::millis());
  json.member("serverStackLeft", server_task.stack_left());
  json.member("sensorStackLeft", sensor_task.stack_left());
  json.object_end();
  return mcp::Errc::ok;
}

constexpr mcp::Resource resources[] = {
    {.uri = "tank://level",
     .name = "level",
     .title = "Level",
     .description = "The level of the water in millimetres.",
     .mime_type = "application/json",
     .read = read_level,
     .subscribable = true},
    {.uri = "device://tasks",
     .name = "tasks",
     .title = "Tasks",
     .description = "Time since start-up, and the smallest free space on the stack of each task, in bytes.",
     .mime_type = "application/json",
     .read = read_tasks},
};

// ---- Tools ----------------------------------------------------------------------------------------------------------

struct SetInterval {
  std::uint32_t milliseconds;
};

mcp::Errc set_interval(const SetInterval& arguments, mcp::Call& call) {
  interval_ms.store(arguments.milliseconds, std::memory_order_relaxed);
  return call.result().text("Sampling every ", arguments.milliseconds, " ms.");
}

constexpr auto set_interval_params = mcp::params(mcp::param<&SetInterval::milliseconds>(
    "milliseconds", {.description = "Time from one sample to the next", .minimum = 10, .maximum = 60'000}));

mcp::JobHandle measurement;  // Written before the timer starts.

// Sleeps until the interrupt of the timer wakes it, at most a second.
struct Measure {
  bool is_started = false;

  mcp::Step step(mcp::JobContext& context) {
    if (!is_started) {
      is_started = true;
      is_measured.store(false, std::memory_order_relaxed);
      measurement = context.handle();
      tank::start_measurement();
      return context.sleep(1'000);
    }
    if (!is_measured.load(std::memory_order_relaxed)) return context.done(context.fail("The timer does not respond."));
    return context.done(context.result().text("The timer has ended the measurement."));
  }
};

constexpr mcp::Tool tools[] = {
    mcp::tool<set_interval>(
        {.name = "set_interval", .title = "Interval", .description = "Set how often the level is sampled."},
        set_interval_params),
    mcp::job<Measure, 5'000>({.name = "measure", .title = "Measure", .description = "Measure once, by interrupt."}),
};

// ---- The server and the tasks --------------------------------------------------------------------------------------

constexpr mcp::Definition definition{
    .name = "tank", .title = "Water tank", .version = "1.0.0", .tools = tools, .resources = resources};
constexpr mcp::Limits limits{.receive_size = 2048, .transmit_size = 1024, .jobs = 1, .mailbox = true};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Mailbox mailbox{storage, [] { server_task.wake(); }};
constinit const mcp::Server server{storage, {.mailbox = &mailbox, .boot_id = board::boot_id}};

void serve(void*) {
  mcp::StdioTransport transport{server, board::uart0()};
  for (;;) server_task.wait_for_event(transport.poll(mcp::freertos::millis()));
}

// The level rises by 1 mm with each sample.
void sense(void*) {
  for (;;) {
    vTaskDelay(pdMS_TO_TICKS(interval_ms.load(std::memory_order_relaxed)));
    millimetres.store(millimetres.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    mailbox.resource_updated(resources[0]);
  }
}

}  // namespace

void tank::measured_from_isr() {
  is_measured.store(true, std::memory_order_relaxed);
  measurement.wake();
}

// The drivers of the board call it, in their interrupts, instead of the function of the board without an RTOS.
void board::wake_from_isr() { server_task.wake(); }

int main() {
  tank::lower_interrupts();
  server_task.start("mcp", 2, serve);
  sensor_task.start("sensor", 3, sense);
  vTaskStartScheduler();
}
