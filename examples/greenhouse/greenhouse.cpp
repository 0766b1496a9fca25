// SPDX-License-Identifier: Apache-2.0
// The tables of the greenhouse, in one place: what a client sees, and what each caller may do.
#include "greenhouse.hpp"

#include <mcp/figures.hpp>
#include <mcp/schedule.hpp>

#include <algorithm>
#include <optional>

#include "advice.hpp"
#include "beds.hpp"
#include "climate.hpp"
#include "dosing.hpp"
#include "events.hpp"
#include "plant.hpp"
#include "platform.hpp"
#include "probes.hpp"
#include "prompts.hpp"
#include "pump.hpp"
#include "schedule.hpp"
#include "server.hpp"
#include "targets.hpp"

namespace greenhouse {
namespace {

constexpr mcp::Tool tools[] = {
    climate::measure,
    beds::set_valve,
    beds::set_crop,
    beds::show_bed,
    beds::dry_beds,
    pump::water_bed,
    pump::fill_tank,
    schedule::set_schedule,
    targets::set_targets,
    targets::check,
    advice::ask_gardener,
    probes::search,
    dosing::search,
    mcp::cancel_scheduled({.name = "cancel_scheduled", .description = "Cancel a scheduled call.", .scope = "water"}),
};

constexpr mcp::Resource resources[] = {
    beds::all,
    schedule::current,
    climate::temperature_history,
    events::log,
    targets::current,
    climate::current,
    probes::all,
    mcp::scheduled_calls({.uri = "schedule://calls", .name = "scheduled_calls", .title = "Scheduled calls"}),
    mcp::health_resource({.title = "Health of the device", .scope = "service"}),
};

// notify() takes the rows in the order of Change.
static_assert(resources[static_cast<std::size_t>(Change::beds)].uri == beds::all.uri);
static_assert(resources[static_cast<std::size_t>(Change::schedule)].uri == schedule::current.uri);
static_assert(resources[static_cast<std::size_t>(Change::temperature)].uri == climate::temperature_history.uri);

constexpr mcp::ResourceTemplate resource_templates[] = {beds::one, beds::acidity, climate::temperature_since,
                                                        probes::one, events::log_of_bed};

constexpr mcp::Method methods[] = {probes::calibrate, pump::rain};

constexpr mcp::Prompt prompts[] = {prompts::night, prompts::plan};

// A caller without a scope reads.
constexpr std::string_view scopes[] = {"water", "schedule", "service"};

constexpr mcp::Icon icons[] = {
    {.src = "https://example.com/greenhouse.svg", .mime_type = "image/svg+xml", .sizes = "any"}};
// Programs that know the greenhouse look for this capability before they call its own method.
constexpr mcp::ServerExtras extras{.description = "Four beds, a pump, a tank and a climate sensor.",
                                   .icons = icons,
                                   .experimental = R"({"x-greenhouse":{"calibrate":true}})"};

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
    .methods = methods,
    .found_resources = probes::found,
    .found_tools = dosing::found,
    .logging = mcp::LogData::objects,
    .list_changes = true,
    .subscriptions = true,
    .scopes = scopes,
    .hide_out_of_scope = hides,
};

// A watering, a read of a pH and ask_gardener are jobs: two at a time. events::read needs .streams = 1. Over HTTP, a
// client with go-sdk sends a subscriptions/listen for each resource: one client may have three.
constexpr mcp::Limits limits{.receive_size = 2048,
                             .transmit_size = transmit_size,
                             .sessions = sessions,
                             .jobs = 2,
                             .client_info_size = 48,
                             .tasks = 2,
                             .task_result_size = 384,
                             .scheduled_calls = 3,
                             .streams = 1,
                             .subscriptions = 6,
                             .template_subscriptions = plant::beds,
                             .log_size = 256};
constinit mcp::Storage<definition, limits> storage;
constinit platform::Random random;
constinit platform::Clock clock;

// The data of a log message.
struct LoggedEvent {
  std::string_view event;
  std::optional<std::uint8_t> bed;
};
constexpr auto logged_event =
    mcp::output(mcp::param<&LoggedEvent::event>("event"), mcp::param<&LoggedEvent::bed>("bed"));

}  // namespace

constinit const mcp::Server server{storage, {.entropy = &random, .wall_clock = &clock, .boot_id = platform::boot_id}};

void notify(Change change) { server.resource_updated(resources[static_cast<std::size_t>(change)]); }

void bed_changed(std::uint8_t bed) {
  constexpr std::string_view uris[plant::beds] = {"bed://1", "bed://2", "bed://3", "bed://4"};
  notify(Change::beds);
  server.resource_updated(uris[bed - 1U]);
}

void probes_changed() { server.found_resources_changed(); }

void dosing_pumps_changed() { server.found_tools_changed(); }

void log(mcp::LogLevel level, std::string_view event, std::uint8_t bed) {
  LoggedEvent data{.event = event, .bed = std::nullopt};
  if (bed != 0) data.bed = bed;
  static_cast<void>(server.log(level, "greenhouse", logged_event, data));
}

mcp::Millis poll(mcp::Millis now) {
  const mcp::Millis plant_ms = plant::advance(now);
  pump::poll(now);
  const mcp::Millis schedule_ms = schedule::poll(now);
  const mcp::Millis pump_ms = pump::poll(now);  // of the watering that the schedule has begun
  const mcp::Millis climate_ms = climate::sample(now);
  return std::min({plant_ms, pump_ms, schedule_ms, climate_ms});
}

}  // namespace greenhouse
