// SPDX-License-Identifier: Apache-2.0
// error: a_mailbox_needs_limits_mailbox
#include <mcp/mailbox.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition> storage;
constinit const mcp::Mailbox mailbox{storage};
