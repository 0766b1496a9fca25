// SPDX-License-Identifier: Apache-2.0
// error: the_scratch_memory_of_settings_must_hold_the_longest_setting
#include <mcp/settings.hpp>

char scratch[63];
constexpr mcp::Setting rows[] = {{.name = "token"}};
constinit mcp::Settings settings{rows, scratch};
