// SPDX-License-Identifier: Apache-2.0
// error: HttpLimits::replay_size is 0 to 65535
#include <mcp/http_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::HttpStorage<shape, mcp::HttpLimits{.replay_size = 65536}> storage;
