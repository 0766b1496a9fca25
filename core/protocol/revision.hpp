// The revisions of MCP that are spoken, and every difference between them.
#pragma once

#include <cstdint>
#include <string_view>

#include "mcp/content.hpp"
#include "mcp/extras.hpp"

namespace mcp::protocol {

/// What a revision has and its predecessors have not.
struct Revision {
  std::string_view name;
  // In lists and serverInfo: titles, _meta, outputSchema (2025-06-18); icons, description and websiteUrl of the server
  // (2025-11-25); annotations of tools (2025-03-26). All revisions know annotations of resources and of content.
  mcp::detail::Shown shown;
  bool batches;  // JSON-RPC batches are received (2025-03-26 alone)
  // In results: audio (2025-03-26); resource_link, _meta of items, structuredContent (2025-06-18).
  Content::Known content;
};

/// Newest first. A session holds an index into this table.
inline constexpr Revision revisions[] = {
    {.name = "2025-11-25",
     .shown = {.titles = true, .meta = true, .icons = true, .tool_annotations = true, .output = true},
     .batches = false,
     .content = {.audio = true, .links = true, .meta = true, .structured = true}},
    {.name = "2025-06-18",
     .shown = {.titles = true, .meta = true, .icons = false, .tool_annotations = true, .output = true},
     .batches = false,
     .content = {.audio = true, .links = true, .meta = true, .structured = true}},
    {.name = "2025-03-26",
     .shown = {.titles = false, .meta = false, .icons = false, .tool_annotations = true, .output = false},
     .batches = true,
     .content = {.audio = true, .links = false, .meta = false, .structured = false}},
    {.name = "2024-11-05",
     .shown = {.titles = false, .meta = false, .icons = false, .tool_annotations = false, .output = false},
     .batches = false,
     .content = {.audio = false, .links = false, .meta = false, .structured = false}},
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
