// SPDX-License-Identifier: Apache-2.0
// error: tools that set settings are served over a UART or stdio alone, never over HTTP
#include <mcp/http_transport.hpp>
#include <mcp/settings.hpp>

char scratch[64];
constexpr mcp::Setting rows[] = {{.name = "token", .is_secret = true}};
constinit mcp::Settings settings{rows, scratch};
constexpr mcp::Tool tools[] = {mcp::setting_list<settings>()};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constinit mcp::Storage<definition, mcp::Limits{.sessions = 2}> storage;
constinit mcp::HttpStorage<storage> http_storage;
