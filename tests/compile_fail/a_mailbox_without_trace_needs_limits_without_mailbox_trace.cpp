// SPDX-License-Identifier: Apache-2.0
// error: a_mailbox_without_trace_needs_limits_without_mailbox_trace
#include <mcp/mailbox.hpp>
#include <mcp/trace.hpp>

constexpr mcp::Definition definition{.name = "a", .version = "1"};
constinit mcp::TraceRing<256> ring;
constinit mcp::Storage<definition, mcp::Limits{.mailbox = true, .mailbox_trace = true}> storage;
constinit const mcp::Mailbox mailbox{storage};
