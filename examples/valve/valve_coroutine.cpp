// SPDX-License-Identifier: Apache-2.0
// A valve with a motor that a language model can move, as a coroutine: one function with local variables. valve_job.cpp
// is the same valve as a job.
#include <mcp/coroutine.hpp>

#include "valve.hpp"

namespace {

// Runs for as long as this object lives: also when the call is cancelled, or its client is gone, it is switched off.
class RunningMotor {
 public:
  explicit RunningMotor(bool opens) { device::motor(opens ? device::Motor::opens : device::Motor::closes); }
  ~RunningMotor() { device::motor(device::Motor::off); }
  RunningMotor(const RunningMotor&) = delete;
  RunningMotor& operator=(const RunningMotor&) = delete;
};

mcp::Coroutine move_valve(mcp::AskCoroutineContext& context, const MoveValve& arguments) {
  if (arguments.percent > open_without_asking) {
    const mcp::Answer answer = co_await context.elicit(yes_or_no, "Open the valve to ", arguments.percent, " %?");
    if (answer.outcome() != mcp::Outcome::accepted) {
      co_return context.fail_input(answer, "The valve is at ", valve_percent, " %.");
    }
  }
  const bool opens = arguments.percent > valve_percent;
  const auto total =
      static_cast<std::uint32_t>(opens ? arguments.percent - valve_percent : valve_percent - arguments.percent);
  if (total != 0) {
    const RunningMotor motor(opens);
    for (std::uint32_t done = 0; done != total; ++done) {
      context.progress(done, total);
      co_await context.sleep(ms_per_percent);
      valve_percent += opens ? 1 : -1;
    }
  }
  co_return context.result().text("The valve is at ", valve_percent, " %.");
}

// One call at a time, because there is one motor. frames.largest_wanted() returns the required slot size: 84 bytes with
// GCC 12 on a Cortex-M3, less than twice as many on a PC.
constinit mcp::FramePool<1, 21 * sizeof(void*)> frames;

constexpr mcp::Tool tools[] = {mcp::coroutine<move_valve, frames, move_limit_ms>(move_valve_info, move_valve_params)};
constexpr mcp::Definition definition{.name = "valve", .version = "1.0.0", .tools = tools};

constexpr mcp::Limits limits{.jobs = 1};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage, {.entropy = &device::random, .boot_id = device::boot_id}};

}  // namespace

void run_valve() { serve(server); }
