// SPDX-License-Identifier: Apache-2.0
// error: HttpLimits::replay_size needs HttpLimits::resumable
#include <mcp/http_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::HttpStorage<shape, mcp::HttpLimits{.resumable = false, .replay_size = 256}> storage;
