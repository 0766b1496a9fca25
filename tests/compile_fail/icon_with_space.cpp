// SPDX-License-Identifier: Apache-2.0
// error: the_src_of_an_icon_must_be_an_https_or_data_uri
#include <mcp/server.hpp>

constexpr mcp::Icon icons[] = {{.src = "https://example.com/a b.png"}};
constexpr mcp::PromptExtras extras{.icons = icons};
