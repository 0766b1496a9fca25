// A third test device: rows with everything that few rows have, and `_meta` of content.
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
      result.text("two"),
      result.meta(R"({"com.example/seen":2})").annotate(annotations).link({.uri = "test://link", .name = "link"}),
      result.annotate(annotations).meta(seen).resource_text("test://text", "", "three"),
  };
  for (const mcp::Errc errc : outcomes) {
    if (errc != mcp::Errc::ok) return errc;
  }
  return mcp::Errc::ok;
}

constexpr mcp::Tool tools[] = {
    mcp::tool<answer>({.name = "all", .title = "All", .description = "Has everything.", .extras = everything}),
    mcp::tool<answer>({.name = "hint", .extras = hint}),
    mcp::tool<answer>({.name = "title", .extras = title}),
    mcp::tool<answer>({.name = "empty", .extras = empty}),
    mcp::tool<answer>({.name = "plain"}),
    mcp::tool<content>({.name = "content"}),
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

constexpr mcp::Definition decorated{.name = "decorated",
                                    .title = "Decorated",
                                    .version = "0",
                                    .extras = server_extras,
                                    .tools = tools,
                                    .resources = resources,
                                    .resource_templates = resource_templates,
                                    .prompts = prompts};

namespace {

// As an application would: the limits are held against all of it at compile time.
constexpr mcp::Limits limits{.resources = 3};
constinit mcp::Storage<limits> storage;
[[maybe_unused]] constinit mcp::Server server_of_an_application{decorated, storage};

}  // namespace
}  // namespace test
