// SPDX-License-Identifier: Apache-2.0
// error: HttpLimits::min_rate is at least 1
#include <mcp/http_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
extern mcp::HttpStorage<shape, mcp::HttpLimits{.min_rate = 0}> storage;
constexpr std::size_t size = sizeof storage;
