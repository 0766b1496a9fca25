// SPDX-License-Identifier: Apache-2.0
// error: HttpLimits::connections is 1 to 254
#include <mcp/http_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::HttpStorage<shape, mcp::HttpLimits{.connections = 255}> storage;
