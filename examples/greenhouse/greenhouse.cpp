// SPDX-License-Identifier: Apache-2.0
// The tables of the greenhouse, in one place: what a client sees, and what each caller may do.
#include "greenhouse.hpp"

#include <algorithm>

#include "beds.hpp"
#include "changes.hpp"
#include "climate.hpp"
#include "events.hpp"
#include "plant.hpp"
#include "platform.hpp"
#include "prompts.hpp"
#include "pump.hpp"
#include "schedule.hpp"

namespace greenhouse {
namespace {

constexpr mcp::Tool tools[] = {climate::measure, beds::set_valve, pump::water_bed, pump::fill_tank,
                               schedule::set_schedule};

// In the order of Change.
constexpr mcp::Resource resources[] = {beds::all, schedule::current, climate::temperature_history, events::log};

constexpr mcp::ResourceTemplate resource_templates[] = {beds::one, climate::temperature_since};

constexpr mcp::Prompt prompts[] = {prompts::night, prompts::plan};

// A caller without a scope reads.
constexpr std::string_view scopes[] = {"water", "schedule"};

constexpr mcp::ServerExtras extras{.description = "Four beds, a pump, a tank and a climate sensor."};

constexpr mcp::Definition definition{
    .name = "greenhouse",
    .title = "Greenhouse",
    .version = "1.0.0",
    .instructions = "Read bed://all and climate://temperature/history first. Water a bed with water_bed.",
    .extras = extras,
    .tools = tools,
    .resources = resources,
    .resource_templates = resource_templates,
    .prompts = prompts,
    .scopes = scopes,
    .logging = true,
    .subscriptions = true,
};

// One pump, so one job. A second one may wait for its user meanwhile.
constexpr mcp::Limits limits{.receive_size = 1024,
                             .transmit_size = transmit_size,
                             .sessions = sessions,
                             .jobs = 2,
                             .tasks = 2,
                             .task_result_size = 384,
                             .streams = 1,
                             .subscriptions = 2,
                             .log_size = 256};
constinit mcp::Storage<definition, limits> storage;
constinit platform::Random random;

}  // namespace

constinit const mcp::Server server{storage, {.entropy = &random, .boot_id = platform::boot_id}};

void notify(Change change) { server.resource_updated(resources[static_cast<std::size_t>(change)]); }

void log(mcp::LogLevel level, std::string_view logger, std::string_view text) { server.log(level, logger, text); }

mcp::Millis poll(mcp::Millis now) {
  const mcp::Millis plant_ms = plant::advance(now);
  const mcp::Millis pump_ms = pump::poll(now);
  const mcp::Millis schedule_ms = schedule::poll(now);
  const mcp::Millis climate_ms = climate::sample(now);
  return std::min({plant_ms, pump_ms, schedule_ms, climate_ms});
}

}  // namespace greenhouse
