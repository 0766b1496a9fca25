// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a row
// and: "prompts/list"
// and: "a"
// and: , 512, 400)
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("x"); }
constexpr mcp::Prompt prompts[] = {
    {.name = "a",
     .description =
         "a description that is longer than the window has room for, together with what stands around an item "
         "of a list, and with the longest id, even if that room is a hundred bytes more than this sentence would need "
         "if it were half as long",
     .get = get}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
constexpr mcp::Limits limits{.transmit_size = 400};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
