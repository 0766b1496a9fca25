// SPDX-License-Identifier: Apache-2.0
// error: HttpLimits::idle_timeout_ms is below 2^31
#include <mcp/http_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
extern mcp::HttpStorage<shape, mcp::HttpLimits{.idle_timeout_ms = 0x80000000}> storage;
constexpr std::size_t size = sizeof storage;
