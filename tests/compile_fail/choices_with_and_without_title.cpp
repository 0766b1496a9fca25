// SPDX-License-Identifier: Apache-2.0
// error: no matching function for call to
#include <mcp/server.hpp>

enum class Mode { off, on };
constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off, "Off"}, {"on", Mode::on}});
