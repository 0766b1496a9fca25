// SPDX-License-Identifier: Apache-2.0
// error: a_setting_must_have_at_most_4096_bytes
#include <mcp/settings.hpp>

char scratch[5000];
constexpr mcp::Setting rows[] = {{.name = "token", .max_size = 4097}};
constinit mcp::Settings settings{rows, scratch};
