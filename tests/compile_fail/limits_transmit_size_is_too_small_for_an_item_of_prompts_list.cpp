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
         "A description that is too long for the transmit buffer. The item, the frame of a list and the longest "
         "request id need 512 bytes together, and the buffer has 400 bytes. The compiler error names the list, the row "
         "and the two numbers.",
     .get = get}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
constexpr mcp::Limits limits{.transmit_size = 400};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
