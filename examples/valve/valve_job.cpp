// SPDX-License-Identifier: Apache-2.0
// A valve with a motor that a language model can move, as a job: a struct with the state of one call, and a function
// that runs its next step. valve_coroutine.cpp is the same valve as a coroutine.
#include "valve.hpp"

namespace {

struct MoveValveJob {
  enum class Phase : std::uint8_t { start, asked, moving };

  MoveValve arguments;
  std::int32_t from;
  Phase phase;

  mcp::Step step(mcp::AskContext& context) {
    // The call was cancelled, or its client is gone.
    if (context.stop_requested()) {
      device::motor(device::Motor::off);
      return context.done();
    }
    switch (phase) {
      case Phase::start:
        if (arguments.percent > open_without_asking) {
          phase = Phase::asked;
          return context.elicit(yes_or_no, "Open the valve to ", arguments.percent, " %?");
        }
        return start(context);
      case Phase::asked:
        if (const mcp::Answer answer = context.answer(); answer.outcome() != mcp::Outcome::accepted) {
          return context.done(context.fail_input(answer, "The valve is at ", valve_percent, " %."));
        }
        return start(context);
      case Phase::moving: break;
    }
    valve_percent += opens() ? 1 : -1;
    return move(context);
  }

 private:
  [[nodiscard]] bool opens() const { return arguments.percent > from; }

  mcp::Step start(mcp::AskContext& context) {
    phase = Phase::moving;
    from = valve_percent;
    if (arguments.percent != from) device::motor(opens() ? device::Motor::opens : device::Motor::closes);
    return move(context);
  }

  mcp::Step move(mcp::AskContext& context) {
    if (valve_percent == arguments.percent) {
      device::motor(device::Motor::off);
      return context.done(context.result().text("The valve is at ", valve_percent, " %."));
    }
    const std::int32_t done = valve_percent - from;
    const std::int32_t total = arguments.percent - from;
    context.progress(static_cast<std::uint32_t>(opens() ? done : -done),
                     static_cast<std::uint32_t>(opens() ? total : -total));
    return context.sleep(ms_per_percent);
  }
};

constexpr mcp::Tool tools[] = {mcp::job<MoveValveJob, move_limit_ms>(move_valve_info, move_valve_params)};
constexpr mcp::Definition definition{.name = "valve", .version = "1.0.0", .tools = tools};

// One call at a time: there is one motor.
constexpr mcp::Limits limits{.jobs = 1};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage, {.entropy = &device::random, .boot_id = device::boot_id}};

}  // namespace

void run_valve() { serve(server); }
