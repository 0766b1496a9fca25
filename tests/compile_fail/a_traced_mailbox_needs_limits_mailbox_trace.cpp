// SPDX-License-Identifier: Apache-2.0
// error: a_traced_mailbox_needs_limits_mailbox_trace
// alone: GCC 12 ends at this error.
#include <mcp/mailbox.hpp>
#include <mcp/trace.hpp>

constexpr mcp::Definition definition{.name = "a", .version = "1"};
constinit mcp::TraceRing<256> ring;
constinit mcp::Storage<definition, mcp::Limits{.mailbox = true}> storage;
constinit const mcp::TracedMailbox mailbox{storage, nullptr, ring};
