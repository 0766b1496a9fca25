// SPDX-License-Identifier: Apache-2.0
// error: Limits::mailbox_log_size is 0 to 65535
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.mailbox = true, .mailbox_log_size = 65536}> storage;
