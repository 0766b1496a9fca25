// SPDX-License-Identifier: Apache-2.0
// error: HttpLimits::head_size is 128 to 65535
#include <mcp/http_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::HttpStorage<shape, mcp::HttpLimits{.head_size = 127}> storage;
