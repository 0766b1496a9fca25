// SPDX-License-Identifier: Apache-2.0
// A device whose rows conflict: templates match the URIs of rows and of other templates.
#include <string_view>

#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

mcp::Errc quick(mcp::Call& call) { return call.result().text("quick"); }
constexpr mcp::Tool tools[] = {mcp::tool<quick>({.name = "quick"})};

mcp::Errc read(mcp::ReadResult& out) { return out.text("row"); }
constexpr mcp::Resource resources[] = {
    {.uri = "t://a/fixed", .name = "fixed", .read = read, .subscribable = true},
    {.uri = "t://a/50%25", .name = "percent", .read = read},
    {.uri = "t://path/fi/xed", .name = "nested", .read = read},
    {.uri = "t://query?x=1&y=2", .name = "query", .read = read},
};

mcp::Errc read_variables(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  return out.text("x=", variables["x"], " y=", variables["y"]);
}
mcp::Errc read_any(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  return out.text("any=", variables["any"]);
}
mcp::Errc suggest(const mcp::CompletionRequest&, mcp::Completions& completions) {
  completions.offer("suggested");
  return mcp::Errc::ok;
}
constexpr mcp::ResourceTemplate resource_templates[] = {
    {.uri_template = "t://a/{x}", .name = "simple", .read = read_variables, .complete = suggest},
    {.uri_template = "t://path/{+x}", .name = "path", .read = read_variables},
    {.uri_template = "t://query{?x,y}", .name = "pairs", .read = read_variables},
    {.uri_template = "t://{+any}", .name = "any", .read = read_any},
};

mcp::Errc say(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("said"); }
constexpr mcp::PromptArgument arguments[] = {{.name = "what"}};
constexpr mcp::Prompt prompts[] = {{.name = "say", .arguments = arguments, .get = say, .complete = suggest}};

template <class Row>
bool switch_row(mcp::Server& server, const Row& row, std::string_view row_name, std::string_view name, bool enabled) {
  if (row_name != name) return false;
  server.set_enabled(row, enabled);
  return true;
}

}  // namespace

constexpr mcp::Definition rows{.name = "rows",
                               .version = "0",
                               .tools = tools,
                               .resources = resources,
                               .resource_templates = resource_templates,
                               .prompts = prompts,
                               .list_changes = true,
                               .subscriptions = true};

bool act_on_rows(mcp::Server& server, std::string_view action) {
  if (action == "update row fixed") return server.resource_updated(resources[0]), true;
  constexpr std::string_view on = "enable row ";
  constexpr std::string_view off = "disable row ";
  const bool enabled = action.starts_with(on);
  if (!enabled && !action.starts_with(off)) return false;
  const std::string_view name = action.substr(enabled ? on.size() : off.size());
  bool found = false;
  for (const auto& row : tools) found = switch_row(server, row, row.info.name, name, enabled) || found;
  for (const auto& row : resources) found = switch_row(server, row, row.name, name, enabled) || found;
  for (const auto& row : resource_templates) found = switch_row(server, row, row.name, name, enabled) || found;
  for (const auto& row : prompts) found = switch_row(server, row, row.name, name, enabled) || found;
  return found;
}

}  // namespace test
