// SPDX-License-Identifier: Apache-2.0
// A device with sampled sensors. Conversations set its clocks.
#include "mcp/history.hpp"

#include <charconv>

#include "support/device.hpp"

namespace test {
namespace {

mcp::Millis now_ms;
std::uint64_t utc_at_zero;

mcp::Millis now() { return now_ms; }
std::uint64_t utc_ms() { return utc_at_zero + now_ms; }

constexpr mcp::HistoryOptions celsius{.now = now,
                                      .utc_ms = utc_ms,
                                      .unit = "Cel",
                                      .decimals = 2,
                                      .notify_above = 30,
                                      .notify_below = -0.25,
                                      .hysteresis = 0.5};
constinit mcp::History<celsius, 4> temperature;

constexpr mcp::HistoryOptions hectopascal{.now = now, .unit = "hPa"};
constinit mcp::History<hectopascal, 3, float> pressure;

constexpr mcp::Resource resources[] = {
    mcp::history<temperature>({.uri = "t://temperature", .name = "temperature", .subscribable = true}),
    mcp::history<pressure>(
        {.uri = "t://pressure", .name = "pressure", .mime_type = "text/plain", .subscribable = true}),
};
constexpr mcp::ResourceTemplate resource_templates[] = {
    mcp::history_since<temperature>({.uri_template = "t://temperature{?since,until}", .name = "temperatures"}),
    mcp::history_since<pressure>({.uri_template = "t://pressure{?since}",
                                  .name = "pressures",
                                  .description = "The pressure",
                                  .mime_type = "text/plain"}),
};

// Takes `verb ` off the action. The rest is a number.
template <class T>
bool take(std::string_view action, std::string_view verb, T& value) {
  if (!action.starts_with(verb)) return false;
  action.remove_prefix(verb.size());
  return std::from_chars(action.data(), action.data() + action.size(), value).ec == std::errc{};
}

}  // namespace

constexpr mcp::Definition history{.name = "history",
                                  .version = "0",
                                  .resources = resources,
                                  .resource_templates = resource_templates,
                                  .subscriptions = true};

void forget_history() {
  now_ms = 0;
  utc_at_zero = 0;
  temperature.clear();
  pressure.clear();
}

bool act_on_history(mcp::Server& server, std::string_view action) {
  std::int32_t centi = 0;
  float value = 0;
  if (take(action, "now ", now_ms) || take(action, "utc at zero ", utc_at_zero)) return true;
  if (action == "clear") return temperature.clear(), true;
  if (take(action, "temperature ", centi)) {
    if (temperature.add(centi)) server.resource_updated(resources[0]);
    return true;
  }
  if (take(action, "pressure ", value)) {
    if (pressure.add(value)) server.resource_updated(resources[1]);
    return true;
  }
  return false;
}

}  // namespace test
