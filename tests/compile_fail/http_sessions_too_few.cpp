// SPDX-License-Identifier: Apache-2.0
// error: Limits::sessions is at least 2 for a server of both eras over HTTP: stateless requests share one
#include <mcp/http_transport.hpp>
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition> storage;
constinit mcp::HttpStorage<storage> http_storage;
