// SPDX-License-Identifier: Apache-2.0
// error: a_setting_needs_a_name_of_1_to_15_of_the_characters_a_to_z_0_to_9_underscore
#include <mcp/settings.hpp>

char scratch[64];
constexpr mcp::Setting rows[] = {{.name = "Token"}};
constinit mcp::Settings settings{rows, scratch};
