// SPDX-License-Identifier: Apache-2.0
// error: Limits::jobs must be at least 1 for the resource
// and: "a:{b}"
#include <mcp/server.hpp>

struct Job {
  mcp::FixedString<8> uri;
  mcp::Errc begin(const mcp::UriVariables&) { return mcp::Errc::ok; }
  mcp::Step step(mcp::ReadContext& context) { return context.done(); }
};
constexpr mcp::ResourceTemplate templates[] = {mcp::read_job<Job>({.uri_template = "a:{b}", .name = "a"})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = templates};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
