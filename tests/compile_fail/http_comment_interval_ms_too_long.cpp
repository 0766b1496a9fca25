// SPDX-License-Identifier: Apache-2.0
// error: HttpLimits::comment_interval_ms is 1 to 2^31 - 1
#include <mcp/http_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
extern mcp::HttpStorage<shape, mcp::HttpLimits{.comment_interval_ms = 0x80000000}> storage;
constexpr std::size_t size = sizeof storage;
