// The revisions of MCP that are spoken, and every difference between them.
#pragma once

#include <cstdint>
#include <string_view>

namespace mcp::protocol {

/// What a revision has and its predecessors have not.
struct Revision {
  std::string_view name;
  bool titles;                   // title of tools, resources, templates, prompts, server (2025-06-18)
  bool resource_links;           // content of type resource_link (2025-06-18)
  bool audio;                    // content of type audio (2025-03-26)
  bool batches;                  // JSON-RPC batches are received (2025-03-26 alone)
  bool tasks;                    // task-augmented calls (2025-11-25)
  std::uint8_t client_features;  // bits of ClientFeature that a client can declare
};

/// What a client can do for a server.
struct ClientFeature {
  enum : std::uint8_t {
    roots = 1,
    sampling = 2,
    sampling_context = 4,   // includeContext other than "none"; before 2025-11-25 every client that samples has it
    sampling_tools = 8,     // since 2025-11-25
    elicitation_form = 16,  // since 2025-06-18
    elicitation_url = 32,   // since 2025-11-25
  };
};

/// Newest first. A session holds an index into this table.
inline constexpr Revision revisions[] = {
    {.name = "2025-11-25",
     .titles = true,
     .resource_links = true,
     .audio = true,
     .batches = false,
     .tasks = true,
     .client_features = 63},
    {.name = "2025-06-18",
     .titles = true,
     .resource_links = true,
     .audio = true,
     .batches = false,
     .tasks = false,
     .client_features = 23},
    {.name = "2025-03-26",
     .titles = false,
     .resource_links = false,
     .audio = true,
     .batches = true,
     .tasks = false,
     .client_features = 7},
    {.name = "2024-11-05",
     .titles = false,
     .resource_links = false,
     .audio = false,
     .batches = false,
     .tasks = false,
     .client_features = 7},
};

/// The index of the revision to answer to a client that asks for `name`: that one, or the newest when it is not spoken.
/// Source: basic/lifecycle#version-negotiation, 2025-11-25.
constexpr std::uint8_t negotiate(std::string_view name) {
  std::uint8_t index = 0;
  for (const Revision& revision : revisions) {
    if (revision.name == name) return index;
    ++index;
  }
  return 0;
}

}  // namespace mcp::protocol
