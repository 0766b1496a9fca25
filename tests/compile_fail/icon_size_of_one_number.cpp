// SPDX-License-Identifier: Apache-2.0
// error: the_sizes_of_an_icon_must_be_any_or_like_48x48_with_a_space_between_two
#include <mcp/server.hpp>

constexpr mcp::Icon icons[] = {{.src = "https://example.com/a.png", .sizes = "48"}};
constexpr mcp::ResourceExtras extras{.icons = icons};
