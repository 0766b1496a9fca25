// SPDX-License-Identifier: Apache-2.0
// A third test device: rows with everything that few rows have, parameters with titles and formats, and `_meta` of
// content.
#include <optional>

#include "support/device.hpp"

namespace test {
namespace {

// ---- Tools -------------------------------------------------------------------------------------------------------

constexpr mcp::Icon icons[] = {
    {.src = "https://example.com/lamp.png",
     .mime_type = "image/png",
     .sizes = "48x48 96x96",
     .theme = mcp::Icon::Theme::light},
    {.src = "data:image/svg+xml;base64,PHN2Zy8+", .sizes = "any", .theme = mcp::Icon::Theme::dark},
    {.src = "https://example.com/l"},
};

constexpr mcp::ToolExtras everything{.icons = icons,
                                     .meta = R"({"com.example/rack": {"place": [1, 2]},
  "1st_name.of-all": null, "a.b-2.c/": "\"quoted\" {", "": true})",
                                     .annotations = {.title = "Annotated",
                                                     .read_only_hint = false,
                                                     .destructive_hint = true,
                                                     .idempotent_hint = true,
                                                     .open_world_hint = false}};
constexpr mcp::ToolExtras hint{.annotations = {.read_only_hint = true}};
constexpr mcp::ToolExtras title{.annotations = {.title = "Only a title"}};
constexpr mcp::ToolExtras empty{};

mcp::Errc answer(mcp::Call& call) { return call.result().text("here"); }

constexpr mcp::Meta seen = R"({"com.example/seen":1})";

mcp::Errc content(mcp::Call& call) {
  mcp::ToolResult& result = call.result();
  constexpr mcp::Annotations annotations{.audience = mcp::Annotations::Audience::user};
  const mcp::Errc outcomes[] = {
      result.meta(seen).text("one"),
      result.meta(mcp::Meta()).text("two"),
      result.meta(R"({"com.example/seen":2})").annotate(annotations).link({.uri = "test://link", .name = "link"}),
      result.annotate(annotations).meta(seen).resource_text("test://text", "", "three"),
  };
  for (const mcp::Errc errc : outcomes) {
    if (errc != mcp::Errc::ok) return errc;
  }
  return mcp::Errc::ok;
}

enum class Mode : std::uint8_t { off, on };
constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off, "Switched \"off\""}, {"on", Mode::on, "On"}});
constexpr auto plain_modes = mcp::choices<Mode>({{"off", Mode::off}, {"on", Mode::on}});

struct Point {
  bool x;
};
constexpr auto point = mcp::params(mcp::param<&Point::x>("x", {.title = "X", .default_value = true}));

struct Titled {
  std::int32_t number;
  mcp::FixedString<9> text;
  std::optional<std::string_view> email;
  std::optional<std::string_view> uri;
  std::optional<std::string_view> date;
  std::optional<std::string_view> date_time;
  Mode mode;
  Mode titled_mode;
  Mode mode_with_title;
  mcp::List<Mode, 2> modes;
  mcp::List<Mode, 2> plain_modes;
  mcp::List<std::string_view, 1> uris;
  mcp::List<std::int32_t, 1> numbers;
  Point point;
};
constexpr auto titled_params = mcp::params(
    mcp::param<&Titled::number>("number", {.title = "Number", .description = "d", .minimum = 1, .maximum = 2}),
    mcp::param<&Titled::text>("text", {.title = "Text"}),
    mcp::param<&Titled::email>("email", {.title = "E-mail", .format = mcp::Format::email}),
    mcp::param<&Titled::uri>("uri", {.max_length = 9, .format = mcp::Format::uri}),
    mcp::param<&Titled::date>("date", {.format = mcp::Format::date}),
    mcp::param<&Titled::date_time>("date_time", {.format = mcp::Format::date_time}),
    mcp::param<&Titled::mode>("mode", {.choices = modes}),
    mcp::param<&Titled::titled_mode>("titled_mode", {.title = "Mode", .choices = modes, .default_value = Mode::on}),
    mcp::param<&Titled::mode_with_title>("mode_with_title", {.title = "Mode", .choices = plain_modes}),
    mcp::param<&Titled::modes>(
        "modes",
        {.title = "Modes", .min_items = 1, .items = {.title = "One", .description = "Of the modes", .choices = modes}}),
    mcp::param<&Titled::plain_modes>("plain_modes", {.title = "Modes", .items = {.choices = plain_modes}}),
    mcp::param<&Titled::uris>("uris", {.title = "URIs", .items = {.format = mcp::Format::uri}}),
    mcp::param<&Titled::numbers>("numbers", {.title = "Numbers", .items = {.title = "A number", .description = "Any"}}),
    mcp::param<&Titled::point>("point", {.title = "Point", .fields = point}));
static_assert(!mcp::detail::is_flat(titled_params), "it has a struct and lists that no form has");

struct Answer {
  Mode mode;
  mcp::List<Mode, 2> modes;
};
constexpr auto answer_output = mcp::output(mcp::param<&Answer::mode>("mode", {.title = "Mode", .choices = modes}),
                                           mcp::param<&Answer::modes>("modes", {.items = {.choices = modes}}));

mcp::Errc titled(const Titled& arguments, Answer& out, mcp::Call&) {
  out = {.mode = arguments.titled_mode, .modes = arguments.modes};
  return mcp::Errc::ok;
}

constexpr mcp::Tool tools[] = {
    mcp::tool<answer>({.name = "all", .title = "All", .description = "Has everything.", .extras = everything}),
    mcp::tool<answer>({.name = "hint", .extras = hint}),
    mcp::tool<answer>({.name = "title", .extras = title}),
    mcp::tool<answer>({.name = "empty", .extras = empty}),
    mcp::tool<answer>({.name = "plain"}),
    mcp::tool<content>({.name = "content"}),
    mcp::tool<titled>({.name = "titled"}, titled_params, answer_output),
};

// ---- Resources, templates, prompts -------------------------------------------------------------------------------

mcp::Errc read(mcp::ReadResult& out) { return out.text("here"); }
mcp::Errc read_template(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("here"); }
mcp::Errc get(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().meta(seen).text("Hello."); }

constexpr mcp::Icon one_icon[] = {{.src = "https://example.com/one"}};

constexpr mcp::ResourceExtras resource_extras{.icons = one_icon,
                                              .meta = R"({"com.example/a": 1})",
                                              .annotations = {.audience = mcp::Annotations::Audience::both,
                                                              .priority = mcp::Scaled{10, 1},
                                                              .last_modified = "2026-01-02T03:04:05Z"},
                                              .size = 4};
constexpr mcp::ResourceExtras huge{.size = 4'294'967'295};
constexpr mcp::Resource resources[] = {
    {.uri = "test://here", .name = "here", .mime_type = "text/plain", .read = read, .extras = resource_extras},
    {.uri = "test://huge", .name = "huge", .read = read, .extras = huge},
    {.uri = "test://plain", .name = "plain", .read = read}};

constexpr mcp::ResourceTemplateExtras template_extras{
    .icons = one_icon, .meta = R"({"b": 2})", .annotations = {.priority = mcp::Scaled{0, 0}}};
constexpr mcp::ResourceTemplate resource_templates[] = {
    {.uri_template = "test://{any}", .name = "any", .read = read_template, .extras = template_extras}};

constexpr mcp::PromptExtras prompt_extras{.icons = one_icon, .meta = R"({"mcp/c": 3})"};
constexpr mcp::Prompt prompts[] = {{.name = "hello", .get = get, .extras = prompt_extras}};

constexpr mcp::ServerExtras server_extras{
    .description = "Has \"extras\".", .website_url = "https://example.com/device", .icons = icons};

}  // namespace

constexpr mcp::Definition extended{.name = "extended",
                                   .title = "Decorated",
                                   .version = "0",
                                   .extras = server_extras,
                                   .tools = tools,
                                   .resources = resources,
                                   .resource_templates = resource_templates,
                                   .prompts = prompts};

namespace {

struct Routed {
  std::string_view region;
  std::optional<std::int32_t> level;
  std::optional<std::string_view> text;
  std::optional<mcp::List<std::int8_t, 2>> levels;
};
constexpr auto routed_params =
    mcp::params(mcp::param<&Routed::region>("region", {.title = "Region", .header = "Region"}),
                mcp::param<&Routed::level>("level", {.header = "Level"}), mcp::param<&Routed::text>("text"),
                mcp::param<&Routed::levels>("levels", {.items = {.title = "Level"}}));
mcp::Errc route(const Routed& arguments, mcp::Call& call) { return call.result().text(arguments.region); }
constexpr mcp::Tool routed_tools[] = {mcp::tool<route>({.name = "route"}, routed_params)};

}  // namespace

constexpr mcp::Definition routed{.name = "routed", .version = "0", .tools = routed_tools};

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits limits{.transmit_size = 3072};
constinit mcp::Storage<extended, limits> storage;
[[maybe_unused]] constinit mcp::Server server_of_an_application{storage};

}  // namespace
}  // namespace test
