// SPDX-License-Identifier: Apache-2.0
/// @file
/// The capabilities that a client declares.
/// @code
/// mcp::Errc open_gate(mcp::Call& call) {
///   if (!call.client_can(mcp::ClientCapability::elicitation)) return call.fail("Your client cannot show forms.");
///   return call.result().text("The gate is open.");
/// }
/// constexpr mcp::Tool tools[] = {mcp::tool<open_gate>({.name = "open_gate", .knows_client = true})};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

namespace mcp {

/// A capability that a client declares, for Call::client_can() and Call::needs_client().
/// Source: schema 2026-07-28, ClientCapabilities.
enum class ClientCapability : std::uint8_t {
  roots = 1,             ///< The client returns its roots.
  sampling = 2,          ///< The client supports sampling, which calls its model.
  sampling_context = 4,  ///< Sampling::context may be other than none.
  sampling_tools = 8,    ///< Sampling::tools may name tools.
  elicitation = 16,      ///< The client shows forms.
  elicitation_url = 32,  ///< The client opens URLs.
  tasks = 64,            ///< The client supports the extension io.modelcontextprotocol/tasks.
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
