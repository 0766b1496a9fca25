// SPDX-License-Identifier: Apache-2.0
// Devices whose sensors, tools and template instances exist at run time.
#include <algorithm>
#include <string>
#include <string_view>

#include "mcp/job.hpp"
#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

// ---- What exists now ------------------------------------------------------------------------------------------------

constexpr std::uint16_t number_count = 6;

struct Found {
  bool exists = false;
  std::string key;     // URI of a resource, name of a tool
  std::string title;   // empty: none
  std::string schema;  // of a tool; empty: none
};
struct State {
  Found sensors[number_count];
  Found tools[number_count];
  std::string pins = "0123";  // that exist
};
State state;

bool describe_sensor(std::uint16_t number, mcp::FoundResource& row) {
  const Found& sensor = state.sensors[number];
  if (!sensor.exists) return false;
  if (sensor.key == "no-uri") {
    row.name("Without URI");
    return true;
  }
  row.mime_type("text/", "plain");
  if (sensor.key.starts_with("file:")) {
    row.uri("file:///", mcp::UriText{sensor.key.substr(5)});
  } else {
    row.uri(sensor.key);
    row.uri("twice");
  }
  if (sensor.title != "no-name") row.name("Sensor ", number);
  if (!sensor.title.empty()) row.title(sensor.title);
  if (sensor.title == "described") {
    row.description("Found on the ", "bus.");
    row.size(4, {.audience = mcp::Annotations::Audience::user, .last_modified = "2026-01-02T03:04:05Z"});
  }
  return true;
}
mcp::Errc read_sensor(std::uint16_t number, mcp::ReadResult& out) {
  if (state.sensors[number].title == "broken") return mcp::Errc::unavailable;
  return out.text("sensor ", number);
}
std::uint16_t find_sensor(std::string_view uri) {
  const char last = uri.empty() ? '\0' : uri.back();
  return last >= '0' && last <= '9' ? static_cast<std::uint16_t>(last - '0') : mcp::no_number;
}

bool describe_tool(std::uint16_t number, mcp::FoundTool& row) {
  const Found& tool = state.tools[number];
  if (!tool.exists) return false;
  if (tool.key != "no-name") row.name(tool.key);
  if (!tool.title.empty()) row.title(tool.title);
  if (tool.title == "described") row.description("Channel ", number, ".");
  if (!tool.schema.empty()) row.input_schema(tool.schema);
  return true;
}
mcp::Errc call_tool(std::uint16_t number, mcp::json::Value arguments, mcp::Call& call) {
  ++device.calls;
  const mcp::json::Value level = mcp::json::find_member(arguments, "level");
  if (level.present() && !level.is(mcp::json::Type::number)) return call.fail("level must be a number.");
  return call.result().text("channel ", number, level.present() ? " has a level" : "");
}

// ---- Kinds of tools ------------------------------------------------------------------------------------------------

// The first letter of a name is its kind: m(easure), c(onfirm), f(ill), x: one that does not exist; others have none.
bool describe_of_kind(std::uint16_t number, mcp::FoundTool& row) {
  const Found& tool = state.tools[number];
  if (!tool.exists) return false;
  row.name(tool.key);
  constexpr std::string_view letters = "mcf";
  const std::size_t kind = letters.find(tool.key.front());
  if (kind != std::string_view::npos) row.kind(static_cast<std::uint16_t>(kind));
  if (tool.key.front() == 'x') row.kind(static_cast<std::uint16_t>(letters.size()));
  if (tool.title == "written") {
    row.input_schema([](mcp::json::Writer& out) {
      out.fragment("\"properties\":{");
      out.object_end();
    });
  }
  return true;
}
std::uint16_t find_tool(std::string_view name) {
  for (std::uint16_t number = 0; number < number_count; ++number) {
    if (state.tools[number].key == name) return number;
  }
  return state.tools[0].title == "astray" ? std::uint16_t{0} : mcp::no_number;
}

struct Level {
  std::int32_t row;
};
constexpr auto level_output = mcp::output(mcp::param<&Level::row>("row"));
mcp::Errc measure(Level& level, mcp::Call& call) {
  level.row = call.row();
  return mcp::Errc::ok;
}

struct Amount {
  std::int32_t to;
};
constexpr auto amount_params = mcp::params(mcp::param<&Amount::to>("to", {.minimum = 0, .maximum = 9}));
constexpr mcp::InputSchema yes(R"({"type":"object","properties":{}})");

struct Confirm {
  Amount arguments;
  std::uint16_t row;
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) return context.done();
    if (!asked) {
      asked = true;
      return context.elicit(yes, "Set row ", row, "?");
    }
    if (context.answer().outcome() != mcp::Outcome::accepted) return context.done(context.fail("Not accepted."));
    return context.done(context.result().text("row ", row, " is ", arguments.to));
  }
};
struct Fill {
  std::uint16_t row;
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (!slept && !context.stop_requested()) {
      slept = true;
      return context.sleep(100);
    }
    const bool is_known = context.row() != mcp::no_number;  // only of the request
    return context.done(context.result().text("row ", row, is_known ? " and " : "", " is full"));
  }
};

// ---- Constant rows --------------------------------------------------------------------------------------------------

mcp::Errc read(mcp::ReadResult& out) { return out.text("row"); }
mcp::Errc quick(mcp::Call& call) { return call.result().text("quick"); }

// Longer than any found row: so the smallest transmit buffer of a conversation holds those, too.
#define MOTE_TEST_LONG                                                                                         \
  "A constant row that is longer than each found row of these conversations, so that a page for it has space " \
  "for a found row with all of its members: URI, name, title, description, MIME type, size and annotations."
constexpr mcp::Resource resources[] = {
    {.uri = "found://fixed", .name = "fixed", .description = MOTE_TEST_LONG, .read = read, .subscribable = true},
    {.uri = "found://silent", .name = "silent", .read = read},
};
constexpr mcp::Tool tools[] = {mcp::tool<quick>({.name = "quick", .description = MOTE_TEST_LONG})};

bool pin_exists(const mcp::UriVariables& variables) { return state.pins.find(variables["pin"]) != std::string::npos; }
mcp::Errc read_pin(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  return pin_exists(variables) ? out.text("pin ", variables["pin"]) : mcp::Errc::not_found;
}
mcp::Errc read_any(const mcp::UriVariables& variables, mcp::ReadResult& out) { return out.text(variables["x"]); }
constexpr mcp::ResourceTemplate resource_templates[] = {
    {.uri_template = "pin://{pin}", .name = "pin", .read = read_pin, .subscribable = pin_exists},
    {.uri_template = "any://{x}", .name = "any", .read = read_any, .subscribable = true},
    {.uri_template = "mute://{x}", .name = "mute", .read = read_any},
    {.uri_template = "any://caf\u00e9 {kind}/{x}", .name = "cafe", .read = read_any, .subscribable = true},
};

constexpr mcp::FoundResources sensors{
    .numbers = number_count, .describe = describe_sensor, .read = read_sensor, .subscribable = true};
constexpr mcp::FoundResources indexed{.numbers = number_count,
                                      .describe = describe_sensor,
                                      .read = read_sensor,
                                      .find = find_sensor,
                                      .subscribable = true,
                                      .ttl_ms = 5000};
constexpr mcp::FoundResources silent{.numbers = number_count, .describe = describe_sensor, .read = read_sensor};
constexpr mcp::FoundResources listed{.numbers = number_count, .describe = describe_sensor};
constexpr mcp::FoundTools channels{.numbers = number_count, .describe = describe_tool, .call = call_tool};

// Found rows that need scopes, beside others that need none.
constexpr mcp::ResourceTemplate scoped_templates[] = {
    {.uri_template = "any://{x}", .name = "any", .read = read_any, .subscribable = true},
    {.uri_template = "part://{?a,b}", .name = "part", .read = read_any, .subscribable = true},
};
constexpr std::string_view scopes[] = {"pump:read", "pump:write", "pump:admin"};
constexpr mcp::FoundResources scoped_sensors{.numbers = number_count,
                                             .describe = describe_sensor,
                                             .read = read_sensor,
                                             .subscribable = true,
                                             .scope = "pump:admin"};
constexpr mcp::FoundTools scoped_channels{
    .numbers = number_count, .describe = describe_tool, .call = call_tool, .scope = "pump:write"};

constexpr mcp::ToolExtras reads{.annotations = {.read_only_hint = true}};
constexpr mcp::Tool kinds[] = {
    mcp::tool<measure>({.name = "measure", .extras = reads}, level_output),
    mcp::job<Confirm>({.name = "confirm", .asks_itself = true}, amount_params),
    mcp::job<Fill>({.name = "fill", .task_support = mcp::TaskSupport::optional}),
};
constexpr mcp::Tool scoped_kinds[] = {
    mcp::tool<measure>({.name = "measure", .scope = "pump:read"}, level_output),
    mcp::job<Confirm>({.name = "confirm", .scope = "pump:admin"}, amount_params),
    mcp::job<Fill>({.name = "fill", .task_support = mcp::TaskSupport::optional}),
};
constexpr mcp::FoundTools of_kinds{
    .numbers = number_count, .describe = describe_of_kind, .call = call_tool, .find = find_tool, .kinds = kinds};
constexpr mcp::FoundTools of_kinds_alone{.numbers = number_count, .describe = describe_of_kind, .kinds = kinds};
constexpr mcp::FoundTools scoped_of_kinds{.numbers = number_count,
                                          .describe = describe_of_kind,
                                          .call = call_tool,
                                          .scope = "pump:write",
                                          .kinds = scoped_kinds};

constexpr mcp::FoundTools scoped_table_of_kinds{
    .numbers = number_count, .describe = describe_of_kind, .scope = "pump:write", .kinds = kinds};

// Of a device whose rows have extras.
constexpr mcp::ResourceExtras resource_extras{.size = 3};
constexpr mcp::Resource extended_resources[] = {
    {.uri = "found://fixed", .name = "fixed", .description = MOTE_TEST_LONG, .read = read, .extras = resource_extras}};
constexpr mcp::ToolExtras tool_extras{.annotations = {.read_only_hint = true}};
constexpr mcp::Tool extended_tools[] = {
    mcp::tool<quick>({.name = "quick", .description = MOTE_TEST_LONG, .extras = tool_extras})};
constexpr mcp::ResourceTemplateExtras template_extras{.annotations = {.priority = mcp::Scaled{1, 0}}};
constexpr mcp::ResourceTemplate extended_templates[] = {
    {.uri_template = "any://{x}", .name = "any", .read = read_any, .extras = template_extras}};

}  // namespace

constexpr mcp::Definition found{.name = "found",
                                .version = "0",
                                .tools = tools,
                                .resources = resources,
                                .resource_templates = resource_templates,
                                .found_resources = sensors,
                                .found_tools = channels,
                                .list_changes = true,
                                .subscriptions = true};
constexpr mcp::Definition found_only{.name = "found_only",
                                     .version = "0",
                                     .found_resources = indexed,
                                     .found_tools = channels,
                                     .list_changes = true,
                                     .subscriptions = true};
constexpr mcp::Definition found_extended{.name = "found_extended",
                                         .version = "0",
                                         .tools = extended_tools,
                                         .resources = extended_resources,
                                         .resource_templates = extended_templates,
                                         .found_resources = silent,
                                         .found_tools = channels,
                                         .list_changes = true};
constexpr mcp::Definition instances{.name = "instances",
                                    .version = "0",
                                    .resources = resources,
                                    .resource_templates = resource_templates,
                                    .found_resources = listed,
                                    .list_changes = true,
                                    .subscriptions = true};

constexpr mcp::Definition found_kinds{.name = "found_kinds",
                                      .version = "0",
                                      .tools = tools,
                                      .found_tools = of_kinds,
                                      .list_changes = true,
                                      .subscriptions = true};
constexpr mcp::Definition found_kinds_only{
    .name = "found_kinds_only", .version = "0", .found_tools = of_kinds_alone, .list_changes = true};
template <bool hides>
constexpr mcp::Definition kinds_with_scopes(std::string_view name) {
  return {.name = name,
          .version = "0",
          .tools = tools,
          .found_tools = scoped_of_kinds,
          .list_changes = true,
          .scopes = scopes,
          .hide_out_of_scope = hides};
}
constexpr mcp::Definition kinds_of_scoped_table{.name = "kinds_of_scoped_table",
                                                .version = "0",
                                                .found_tools = scoped_table_of_kinds,
                                                .list_changes = true,
                                                .scopes = scopes};
constexpr mcp::Definition kinds_scoped = kinds_with_scopes<false>("kinds_scoped");
constexpr mcp::Definition kinds_hidden = kinds_with_scopes<true>("kinds_hidden");

// The same device, which hides what a caller may not use or says so.
template <bool hides>
constexpr mcp::Definition with_scopes(std::string_view name) {
  return {.name = name,
          .version = "0",
          .tools = tools,
          .resources = resources,
          .resource_templates = scoped_templates,
          .found_resources = scoped_sensors,
          .found_tools = scoped_channels,
          .list_changes = true,
          .subscriptions = true,
          .scopes = scopes,
          .hide_out_of_scope = hides};
}
constexpr mcp::Definition found_scoped = with_scopes<false>("found_scoped");
constexpr mcp::Definition found_hidden = with_scopes<true>("found_hidden");

const mcp::Definition* find_found_definition(std::string_view name) {
  for (const mcp::Definition* const definition :
       {&found, &found_only, &found_extended, &instances, &found_scoped, &found_hidden, &found_kinds, &found_kinds_only,
        &kinds_of_scoped_table, &kinds_scoped, &kinds_hidden}) {
    if (definition->name == name) return definition;
  }
  return nullptr;
}

void forget_found() { state = {}; }

namespace {

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

}  // namespace

bool act_on_found(mcp::Server& server, std::string_view action) {
  const std::string_view verb = take_word(action);
  const std::string_view what = take_word(action);
  if (verb == "change" && what == "sensors") return server.found_resources_changed(), true;
  if (verb == "change" && what == "tools") return server.found_tools_changed(), true;
  if (verb == "pins") return state.pins = what, true;
  if (verb == "update_uri") return server.resource_updated(what), true;
  if (verb == "switch_resource") return server.set_enabled(resources[0], what == "on"), true;
  if (verb == "switch_tool") return server.set_enabled(tools[0], what == "on"), true;
  if (verb == "switch_template") return server.set_enabled(resource_templates[0], what == "on"), true;
  if (what != "sensor" && what != "tool") return false;
  const std::string_view digit = take_word(action);
  if (digit.size() != 1 || digit[0] < '0' || digit[0] >= '0' + number_count) return false;
  const auto number = static_cast<std::uint16_t>(digit[0] - '0');
  Found& row = what == "tool" ? state.tools[number] : state.sensors[number];
  if (verb == "lose") return row = {}, true;
  if (verb == "update_found") return server.found_resource_updated(number), true;
  if (verb == "update_found_from_isr") return server.found_resource_updated_from_isr(number), true;
  if (verb == "end") return row = {}, server.found_resource_ended(number), true;
  if (verb != "find") return false;
  row.exists = true;
  row.key = take_word(action);
  row.title = take_word(action);
  row.schema = action;
  return true;
}

}  // namespace test
