// SPDX-License-Identifier: Apache-2.0
// error: the_website_url_must_be_a_uri
#include <mcp/server.hpp>

constexpr mcp::ServerExtras extras{.website_url = "www.example.com"};
constexpr mcp::Definition definition{.name = "n", .version = "1", .extras = extras};
