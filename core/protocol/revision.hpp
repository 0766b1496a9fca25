// The revisions of MCP that are spoken, and every difference between them.
#pragma once

#include <cstdint>
#include <string_view>

#include "mcp/extras.hpp"

namespace mcp::protocol {

/// What a revision has and its predecessors have not.
struct Revision {
  std::string_view name;
  // In lists and serverInfo: titles, _meta (2025-06-18); icons, description and websiteUrl of the server (2025-11-25);
  // annotations of tools (2025-03-26). All know annotations of resources and of content.
  mcp::detail::Shown shown;
  bool resource_links;  // content of type resource_link (2025-06-18)
  bool audio;           // content of type audio (2025-03-26)
  bool batches;         // JSON-RPC batches are received (2025-03-26 alone)
};

/// Newest first. A session holds an index into this table.
inline constexpr Revision revisions[] = {
    {.name = "2025-11-25",
     .shown = {.titles = true, .meta = true, .icons = true, .tool_annotations = true},
     .resource_links = true,
     .audio = true,
     .batches = false},
    {.name = "2025-06-18",
     .shown = {.titles = true, .meta = true, .icons = false, .tool_annotations = true},
     .resource_links = true,
     .audio = true,
     .batches = false},
    {.name = "2025-03-26",
     .shown = {.titles = false, .meta = false, .icons = false, .tool_annotations = true},
     .resource_links = false,
     .audio = true,
     .batches = true},
    {.name = "2024-11-05",
     .shown = {.titles = false, .meta = false, .icons = false, .tool_annotations = false},
     .resource_links = false,
     .audio = false,
     .batches = false},
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
