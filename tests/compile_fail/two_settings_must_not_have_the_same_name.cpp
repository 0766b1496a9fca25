// SPDX-License-Identifier: Apache-2.0
// error: two_settings_must_not_have_the_same_name
#include <mcp/settings.hpp>

char scratch[64];
constexpr mcp::Setting rows[] = {{.name = "token"}, {.name = "token"}};
constinit mcp::Settings settings{rows, scratch};
