// SPDX-License-Identifier: Apache-2.0
// error: the_priority_of_annotations_must_be_0_to_1
#include <mcp/server.hpp>

mcp::Errc read(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::ResourceTemplateExtras extras{.annotations = {.priority = mcp::Scaled{-1, 1}}};
constexpr mcp::ResourceTemplate rows[] = {{.uri_template = "a:{b}", .name = "a", .read = read, .extras = extras}};
