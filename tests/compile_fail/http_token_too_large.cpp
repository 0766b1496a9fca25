// SPDX-License-Identifier: Apache-2.0
// error: HttpLimits::token_size is at most Limits::transmit_size, and 65535 with head_size
#include <mcp/http_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2, .transmit_size = 1024};
extern mcp::HttpStorage<shape, mcp::HttpLimits{.token_size = 1025}> storage;
constexpr std::size_t size = sizeof storage;
