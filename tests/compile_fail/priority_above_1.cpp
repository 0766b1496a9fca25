// SPDX-License-Identifier: Apache-2.0
// error: the_priority_of_annotations_must_be_0_to_1
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::ResourceExtras extras{.annotations = {.priority = mcp::Scaled{11, 1}}};
constexpr mcp::Resource resources[] = {{.uri = "a:b", .name = "a", .read = read, .extras = extras}};
