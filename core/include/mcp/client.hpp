// What a client can do for a server, as it says itself. Knows no method.
#pragma once

#include <cstdint>

namespace mcp {

/// Source: schema 2026-07-28, ClientCapabilities.
enum class ClientCapability : std::uint8_t {
  roots = 1,
  sampling = 2,
  sampling_context = 4,  ///< Sampling::context other than none.
  sampling_tools = 8,    ///< Sampling::tools.
  elicitation = 16,      ///< Forms.
  elicitation_url = 32,
  tasks = 64,  ///< The extension io.modelcontextprotocol/tasks.
};

}  // namespace mcp
