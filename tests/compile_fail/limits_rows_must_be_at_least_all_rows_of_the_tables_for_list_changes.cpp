// error: limits_rows_must_be_at_least_all_rows_of_the_tables_for_list_changes
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("x"); }
constexpr mcp::Prompt prompts[] = {{.name = "a", .get = get}, {.name = "b", .get = get}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts, .list_changes = true};
constexpr mcp::Limits limits{.rows = 1};
constinit mcp::Storage<limits> storage;
constinit mcp::Server server{definition, storage};
