// SPDX-License-Identifier: Apache-2.0
// error: the_src_of_an_icon_must_be_an_https_or_data_uri
#include <mcp/server.hpp>

constexpr mcp::Icon icons[] = {{.src = "http://example.com/a.png"}};
constexpr mcp::ToolExtras extras{.icons = icons};
