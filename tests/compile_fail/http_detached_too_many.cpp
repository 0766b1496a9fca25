// SPDX-License-Identifier: Apache-2.0
// error: HttpLimits::detached is at most 65,000
#include <mcp/http_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
extern mcp::HttpStorage<shape, mcp::HttpLimits{.detached = 65'001}> storage;
constexpr std::size_t size = sizeof storage;
